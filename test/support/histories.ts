// The saved histories of real nights, which reveal changes that would break a running night.
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

/** Replaces the earlier histories of these nights. */
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

/** Temporal's own JSON, without the recording machine's details. */
export function savedHistory(workflowId: string, json: string): SavedHistory {
  const history: unknown = JSON.parse(json, (name, value: unknown) => {
    if (name === "identity") return "worker"; // the process that ran it
    return name === "stackTrace" ? "" : value; // contains local paths
  });
  return savedShape.parse({ workflowId, history });
}
