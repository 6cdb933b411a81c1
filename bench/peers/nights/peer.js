// Protocol of a peer: it prepares, reports that it is ready, does the work on request, and reports its cost.
import { readFile } from "node:fs/promises";

/** `prepare` returns a function that does all of the work; other resources end with the process. */
export async function beAPeer(prepare) {
  const settings = JSON.parse(await readFile(process.argv[2], "utf8"));
  const night = await prepare(settings);
  process.once("message", () => {
    const before = process.cpuUsage();
    const startedMs = performance.now();
    night().then(
      () => {
        const { user, system } = process.cpuUsage(before);
        tell({ tookMs: performance.now() - startedMs, processorMs: (user + system) / 1000 });
      },
      (error) => tell({ failure: String(error?.cause ?? error) }),
    );
  });
  process.send({ ready: true });
}

function tell(result) {
  process.send(result, () => process.exit());
}
