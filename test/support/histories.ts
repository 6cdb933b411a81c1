// The saved histories: what real nights left with Temporal, so that a change that would break a running night is seen.
import { readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { z } from "zod";

export const folder = fileURLToPath(new URL("../nights/histories/", import.meta.url));

export const savedShape = z.object({
  workflowId: z.string(),
  /** Output of Temporal's `historyToJSON`. */
  history: z.object({ events: z.array(z.looseObject({ eventType: z.string() })) }),
});
export type SavedHistory = z.infer<typeof savedShape>;

/** In place of what these nights had left before. */
export async function saveHistories(
  nights: readonly string[],
  histories: ReadonlyMap<string, SavedHistory>,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (nights.includes(name.split(".")[0] ?? "")) await rm(`${folder}${name}`);
  }
  for (const [name, history] of histories) {
    await writeFile(`${folder}${name}.json.gz`, gzipSync(JSON.stringify(history), { level: 9 }));
  }
}

/** From Temporal's own JSON, without what belongs to the machine that recorded it. */
export function savedHistory(workflowId: string, json: string): SavedHistory {
  const history: unknown = JSON.parse(json, (name, value: unknown) => {
    if (name === "identity") return "worker"; // the process that ran it
    return name === "stackTrace" ? "" : value; // contains local paths
  });
  return savedShape.parse({ workflowId, history });
}
