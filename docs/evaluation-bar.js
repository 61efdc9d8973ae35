// An evaluation bar that becomes surer while the engine thinks: evaluationBar(document.querySelector("#bar"), fen).
export async function evaluationBar(bar, fen, service = "http://localhost:8080") {
  const address = `${service}/v1/best-move?movetime=2000&fen=${encodeURIComponent(fen)}`;
  const reply = await fetch(address, { headers: { Accept: "application/x-ndjson" } });
  if (!reply.ok) throw new Error((await reply.json()).detail);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const best = JSON.parse(line).pvs?.[0];
      if (!best) continue;
      bar.style.background = `linear-gradient(to top, #eee ${best.winPercent}%, #333 0)`;
      bar.title = "mate" in best ? `Mate in ${Math.abs(best.mate)}` : (best.cp / 100).toFixed(2);
      bar.setAttribute("aria-label", `Evaluation for White: ${bar.title}`);
    }
  }
}
