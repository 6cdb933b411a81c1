// `npm run lighthouse [-- PATH...]` (after `npm ci --prefix test/lighthouse`): these pages, or a front page, a sign, a card and a
// deck, served compressed like a CDN with copies of the pictures, on a phone and on a desktop. Fails, with the reasons, unless
// accessibility, best practices and SEO score 100 and nothing moves. Performance is only printed, because it depends on the machine's
// load.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { faceAt } from "../../packages/sandbox/faces.ts";
import { renderShared } from "../../site/render.ts";
import { languageNames } from "../../readings/tables.ts";
import { findBrowser } from "../support/chromium.ts";
import { listen } from "../support/ends.ts";
import { settings, summaryOf, wholeEdition, renderLanguage } from "../site/editions.ts";

const entry = fileURLToPath(new URL("node_modules/lighthouse/cli/index.js", import.meta.url));
if (!existsSync(entry))
  throw new Error("Lighthouse is not here: `npm ci --prefix test/lighthouse` brings it");

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const usual = ["en/", "en/daily/leo/", "en/daily-tarot/", "en/decks/daily-tarot/"];
const paths = process.argv.length > 2 ? process.argv.slice(2) : usual;
const known = languageNames.filter((language) => paths.some((path) => path.startsWith(`${language}/`)));
const audit = z.object({
  title: z.string(),
  score: z.number().nullable(),
  numericValue: z.number().optional(),
  displayValue: z.string().default(""),
  explanation: z.string().default(""),
});
const category = z.object({
  score: z.number(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
});
const report = z.object({
  categories: z.record(z.enum(categories), category),
  audits: z.record(z.string(), audit),
});

const files = new Map<string, { bytes: Uint8Array; type: string }>();
const picture = { bytes: faceAt("tarot/style-1/the-moon.png") ?? new Uint8Array(), type: "image/png" };
const server = createServer(({ url: address = "/" }, response) => {
  const path = address.slice(1);
  const isPicture = path.startsWith("cards/");
  const file = isPicture
    ? picture
    : files.get(path === "" || path.endsWith("/") ? `${path}index.html` : path);
  response.writeHead(file === undefined ? 404 : 200, {
    "content-type": file?.type ?? "text/plain",
    "content-encoding": "gzip",
    "cache-control": "max-age=300",
  });
  response.end(gzipSync(file?.bytes ?? "not found"));
});
const url = `http://127.0.0.1:${await listen(server, () => undefined)}/`;
const rendered = known.map((language) => renderLanguage(wholeEdition(language), { ...settings, url }));
const summaries = rendered.map((own, index) => summaryOf(own, known[index] ?? "en"));
for (const file of [...rendered.flat(), ...renderShared(summaries, { ...settings, url })])
  files.set(file.path, file.path.endsWith(".html") ? withCopies(file) : file);

const work = mkdtempSync(join(tmpdir(), "almanac-lighthouse-"));
try {
  for (const path of paths)
    for (const device of ["phone", "desk"] as const) show(path, device, await measure(path, device));
} finally {
  rmSync(work, { recursive: true, force: true });
  server.close();
  server.closeAllConnections();
}

type Report = z.infer<typeof report>;

/** The page with its cards' pictures on the site itself. */
function withCopies({ bytes, type }: { bytes: Uint8Array; type: string }) {
  const text = Buffer.from(bytes).toString().replaceAll("https://cards.example/", `${url}cards/`);
  return { bytes: Buffer.from(text), type };
}

async function measure(path: string, device: "phone" | "desk"): Promise<Report> {
  const output = join(work, "report.json");
  const child = spawn(
    process.execPath,
    [
      entry,
      url + path,
      "--quiet",
      "--output=json",
      `--output-path=${output}`,
      `--only-categories=${categories.join(",")}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage",
      ...(device === "desk" ? ["--preset=desktop"] : []),
    ],
    { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, CHROME_PATH: findBrowser() } },
  );
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`Lighthouse failed with ${code} at ${url}${path}`);
  return report.parse(JSON.parse(readFileSync(output, "utf8")));
}

function show(path: string, device: string, { categories: measured, audits }: Report): void {
  const scores = categories.map((name) => `${name} ${Math.round(measured[name].score * 100)}`);
  const shift = audits["cumulative-layout-shift"]?.numericValue;
  console.log(`${path} on a ${device}: ${scores.join(", ")}, layout shift ${shift}`);
  if (shift !== 0) process.exitCode = 1;
  for (const name of categories) {
    if (measured[name].score === 1) continue;
    if (name !== "performance") process.exitCode = 1;
    for (const { id, weight } of measured[name].auditRefs) {
      const found = audits[id];
      if (weight > 0 && found !== undefined && (found.score ?? 1) < 1)
        console.log(`  ${name}: ${found.title} ${found.displayValue} ${found.explanation}`);
    }
  }
}
