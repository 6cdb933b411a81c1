// The saved histories: what real nights left with Temporal, so that a change that would break a running night is seen.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";

const folder = fileURLToPath(new URL("../nights/histories/", import.meta.url));

const saved = z.object({
  workflowId: z.string(),
  /** As Temporal's `historyToJSON` gives it. */
  history: z.object({ events: z.array(z.looseObject({ eventType: z.string() })) }),
});
export type SavedHistory = z.infer<typeof saved>;

/** Every one by its name, such as `gate.edition.2`: the night, the workflow and which of them. */
export async function savedHistories(): Promise<Map<string, SavedHistory>> {
  const histories = new Map<string, SavedHistory>();
  for (const file of (await readdir(folder)).toSorted()) {
    if (!file.endsWith(".json.gz")) continue;
    const text = gunzipSync(await readFile(folder + file)).toString("utf8");
    histories.set(file.slice(0, -".json.gz".length), saved.parse(JSON.parse(text)));
  }
  return histories;
}

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
    if (name === "identity") return "worker"; // who ran it
    return name === "stackTrace" ? "" : value; // where its files lie
  });
  return saved.parse({ workflowId, history });
}
