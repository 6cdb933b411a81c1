// How a peer is driven: it prepares, says that it is ready, does the work when told to, and says what that took.
import { readFile } from "node:fs/promises";

/** `prepare` gives back what does all of the work; what it needs to end is ended with the process. */
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
