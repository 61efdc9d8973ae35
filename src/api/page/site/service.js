// Talking to the service: requests, streams of lines, errors with its own words, and the same requests as `curl`.

const LINES = "application/x-ndjson";
const OFFLINE_RETRY_S = 3;
const API_KEY = "apiKey";

/** What the service has refused; `problem` is its reply (RFC 9457). */
export class Refusal extends Error {
  constructor(problem, status, retryAfter) {
    super(problem.detail ?? `The service answered with status ${status}.`);
    this.problem = problem;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The service did not answer at all. */
export class Offline extends Error {
  constructor() {
    super("The service does not answer.");
  }
}

const address = (path) => new URL(path.replace(/^\//, ""), document.baseURI);

/** The key that is sent with every request, for as long as this tab is open. */
export const rememberApiKey = (key) => sessionStorage.setItem(API_KEY, key);

const apiKey = () => sessionStorage.getItem(API_KEY);

/** Tells `listener` whenever the service wants a key; with what it says of the one that it got, if it got one. */
export const onUnauthorized = (listener) => document.addEventListener("unauthorized", ({ detail }) => listener(detail));

async function send(url, options) {
  const key = apiKey();
  const headers = key === null ? options.headers : { ...options.headers, "X-Api-Key": key };
  let response;
  try {
    response = await fetch(url, { ...options, headers });
  } catch (error) {
    throw error.name === "AbortError" ? error : new Offline();
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401) {
    const detail = key === null ? undefined : problem.detail;
    document.dispatchEvent(new CustomEvent("unauthorized", { detail }));
  }
  throw new Refusal(problem, response.status, Number(response.headers.get("Retry-After") ?? 0));
}

/** A path with the fields of a request in its query string. */
function query(path, fields) {
  const url = address(path);
  for (const [name, value] of Object.entries(fields)) {
    url.searchParams.set(name, Array.isArray(value) ? value.join(" ") : value);
  }
  return url;
}

/** The reply to a `GET`, as JSON; the browser keeps those that are always the same. */
export async function ask(path, fields = {}, signal = undefined) {
  const response = await send(query(path, fields), { headers: { Accept: "application/json" }, signal });
  return response.json();
}

/** The objects of the reply to a `POST` that is told line by line, as they come. Leaving the loop or the signal ends the request. */
export async function* listen(path, body, signal) {
  const headers = { "Accept": LINES, "Content-Type": "application/json" };
  const response = await send(address(path), { method: "POST", headers, body: JSON.stringify(body), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw signal?.aborted ? error : new Offline();
      });
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line !== "") yield JSON.parse(line);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/**
 * Does `work` until it succeeds or is refused for good. While the engines are busy, we have asked too often or the service
 * is away it says why to `waiting`, with the seconds left, and tries again.
 */
export async function persist(work, signal, waiting) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof Refusal && [429, 503].includes(error.status);
      if (signal.aborted || !(isBusy || error instanceof Offline)) throw error;
      const seconds = isBusy ? Math.max(1, error.retryAfter) : OFFLINE_RETRY_S;
      await countdown(seconds, signal, (left) => waiting(error.message, left));
    }
  }
}

async function countdown(seconds, signal, tick) {
  for (let left = seconds; left > 0; left--) {
    tick(left);
    await pause(1000, signal);
  }
}

/** Waits so many milliseconds; throws if the signal comes first. */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
  });
}

export const isAbort = (error) => error?.name === "AbortError";

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// The key itself stays where it is: commands are copied into places that others see.
const withKey = () => (apiKey() === null ? "" : ' -H "X-Api-Key: $API_KEY"');

/** What `ask` asks, for a terminal. */
export const curlGet = (path, fields) => `curl ${quote(query(path, fields).href)}${withKey()}`;

/** What `listen` asks, for a terminal. */
export function curlPost(path, body) {
  // The header after --json, whose own it replaces.
  return `curl -N --json ${quote(JSON.stringify(body))} -H 'Accept: ${LINES}'${withKey()} ${address(path).href}`;
}
