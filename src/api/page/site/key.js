// Where the service wants an API key: says so, and takes one for this tab.

import { byId, setText } from "./dom.js";
import { onUnauthorized, rememberApiKey } from "./service.js";

export function wireKey() {
  const form = byId("key-form");
  onUnauthorized((reason) => {
    form.hidden = false;
    // An event without a detail has null.
    setText(byId("key-reason"), reason ?? "This service needs an API key. The page sends it with each request, and keeps it for this tab alone.");
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    rememberApiKey(byId("key").value.trim());
    // Everything is asked anew; the position stands in the address.
    location.reload();
  });
}
