// `npm run bench:rejudge`: today's readers and gates over 100,000 answers in a folder: how long it takes, of which how much is
// the processor's, and how the memory stays. A measurement: it always exits 0.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import type { Capture } from "../activities/capture.schema.ts";
import { createPartReader } from "../activities/publish/parts.ts";
import { rejudge } from "../activities/rejudge/rejudge.ts";
import { captureKey, createVault, sha256 } from "../activities/vault.ts";
import { configurationSchema } from "../readings/configuration.schema.ts";
import { languageNames, type Language } from "../readings/languages.ts";
import { addDays } from "../readings/periods.ts";
import { requestKey } from "../readings/request.ts";
import { type Sign, signs } from "../readings/signs.ts";
import { dataFor, envelope } from "../sandbox/answers.ts";
import { hashOf, seededRandom } from "../sandbox/random.ts";
import { openFolder } from "../store/file.ts";
import { openMemory } from "../store/memory.ts";

const answers = Number(process.argv[2] ?? 100_000);
const languages = languageNames.slice(0, 26).filter((language) => language !== "gu");
/** Of so many days a sign has texts of its own; then they come again, with other dates. */
const texts = 4;
/** Every so many-th answer breaks a rule. */
const each = 997;

const made = new Map<string, string>();

function bodyOf(language: Language, sign: Sign, period: string, day: number, isShort: boolean): string {
  const request = {
    operation: "daily-horoscope",
    language,
    sign,
    period: `2026-01-0${(day % texts) + 1}`,
  } as const;
  const key = requestKey(request);
  const draws = seededRandom(hashOf(key));
  const body =
    made.get(key) ??
    JSON.stringify(envelope(request, dataFor(request, { translated: true, shape: undefined }, draws)));
  made.set(key, body);
  const dated = body.replaceAll(request.period, period);
  return isShort ? dated.replace(/"travel":"[^"]*"/, '"travel":"A"') : dated;
}

async function fill(vault: string): Promise<number> {
  const limit = pLimit(32);
  let [count, broken, bytes] = [0, 0, 0];
  for (let day = 0; count < answers; day += 1) {
    const period = addDays("2026-01-01", day);
    const writes: Promise<void>[] = [];
    for (const language of languages) {
      for (const sign of signs) {
        if (count >= answers) break;
        count += 1;
        const isShort = count % each === 0;
        if (isShort) broken += 1;
        const key = requestKey({ operation: "daily-horoscope", language, sign, period });
        const body = bodyOf(language, sign, period, day, isShort);
        const bodyHash = sha256(new TextEncoder().encode(body));
        const receivedAt = `${addDays(period, -1)}T08:05:17.000Z`;
        const facts = { address: "http://127.0.0.1/", receivedAt, tries: 1, run: "almanac-nightly" };
        const capture: Capture = { format: 1, key, ...facts, bodyHash, body, notes: [] };
        const text = JSON.stringify(capture);
        bytes += text.length;
        const path = join(vault, captureKey(key));
        writes.push(limit(() => put(path, text)));
      }
    }
    await Promise.all(writes);
  }
  console.log(
    `${count} answers of ${languages.length} languages, ${(bytes / 1e6 / 1).toFixed(0)} MB, ${broken} of them short`,
  );
  return broken;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const folder = await mkdtemp(join(tmpdir(), "almanac-bench-rejudge-"));
try {
  const broken = await fill(folder);
  made.clear();
  const configuration = configurationSchema.parse({});
  const site = openMemory();
  const samples: { readonly judged: number; readonly rssMb: number; readonly heapMb: number }[] = [];
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const { captures, refused } = await rejudge(
    {},
    {
      configuration,
      vault: createVault(openFolder(folder)),
      published: { site, manifest: undefined, reader: createPartReader(site) },
      onProgress({ judged }) {
        if (judged < (samples.length * answers) / 10) return;
        const { rss, heapUsed } = process.memoryUsage();
        samples.push({ judged, rssMb: Math.round(rss / 1e6), heapMb: Math.round(heapUsed / 1e6) });
      },
    },
  );
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `${captures} judged in ${seconds} s, ${((user + system) / 1e6).toFixed(1)} s of the processor's`,
  );
  console.log(`${refused.length} would be refused, of ${broken} that break a rule`);
  for (const { judged, rssMb, heapMb } of samples)
    console.log(
      `  after ${String(judged).padStart(6)}: ${rssMb} MB in all, ${heapMb} MB of it in use by the heap`,
    );
} finally {
  await rm(folder, { recursive: true, force: true });
}
