// `npm run bench:revalidate`: current parsers and rules on 100,000 responses in a folder: the duration, the processor's share of
// it, and the memory over time. A measurement: it always exits 0.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";
import { z } from "zod";
import type { StoredResponse } from "../vault/vault.ts";
import { layout, sha256 } from "../vault/files.ts";
import { languageNames, type Language, type Sign, signs } from "../readings/tables.ts";
import { addDays } from "../readings/calendar.ts";
import { requestKey } from "../readings/request.ts";
import { dataFor, envelope } from "../packages/sandbox/answers.ts";
import { hashOf, seededRandom } from "../packages/sandbox/random.ts";
import { memoryMb, processorMs } from "./nights/processes.ts";

const answers = Number(process.argv[2] ?? 100_000);
const languages = languageNames.slice(0, 26).filter((language) => language !== "gu");
/** Number of days with different texts for a sign; then the texts repeat with other dates. */
const texts = 4;
/** Every nth response breaks a rule. */
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
        const response: StoredResponse = { format: 1, key, ...facts, bodyHash, body, notes: [] };
        const file = JSON.stringify(response);
        bytes += file.length;
        const path = join(vault, layout.response(key));
        writes.push(limit(() => put(path, file)));
      }
    }
    await Promise.all(writes);
  }
  console.log(
    `${count} answers of ${languages.length} languages, ${(bytes / 1e6 / 1).toFixed(0)} MB, ${broken} of them short`,
  );
  return broken;
}

async function put(path: string, file: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file);
}

interface Sample {
  readonly seconds: number;
  readonly memoryMb: number;
}

/** Runs the command as an operator types it, and samples the kernel's figures of its process. */
async function judge(folder: string) {
  const entry = fileURLToPath(new URL("../scripts/almanac.js", import.meta.url));
  const env = { PATH: process.env["PATH"], ALMANAC_VAULT: "file:vault", ALMANAC_SITE: "file:site" };
  const startedMs = performance.now();
  const child = spawn(process.execPath, [entry, "revalidate", "--no-pages", "--json"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = child.pid ?? 0;
  const seconds = (): number => (performance.now() - startedMs) / 1000;
  const samples: Sample[] = [];
  let processorSeconds = 0;
  const look = (): void => {
    if (Number.isNaN(processorMs(pid))) return;
    processorSeconds = processorMs(pid) / 1000;
    samples.push({ seconds: seconds(), memoryMb: memoryMb(pid) });
  };
  const looking = setInterval(look, 500);
  const said = await text(child.stdout);
  clearInterval(looking);
  const { responses, refused } = z
    .object({ responses: z.number(), refused: z.array(z.unknown()) })
    .parse(JSON.parse(said));
  return { responses, refused: refused.length, seconds: seconds(), processorSeconds, samples };
}

const folder = await mkdtemp(join(tmpdir(), "almanac-bench-revalidate-"));
try {
  const broken = await fill(join(folder, "vault"));
  made.clear();
  const { responses, refused, seconds, processorSeconds, samples } = await judge(folder);
  console.log(
    `${responses} judged in ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of the processor's`,
  );
  console.log(`${refused} would be refused, of ${broken} that break a rule`);
  const every = Math.max(1, Math.ceil(samples.length / 10));
  for (const { seconds: at, memoryMb: held } of samples.filter(
    (_sample, index) => index % every === every - 1,
  ))
    console.log(`  after ${at.toFixed(0).padStart(4)} s: ${held.toFixed(0)} MB`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
