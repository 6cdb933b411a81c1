// docs/hosting.md on nginx and Caddy, followed with Debian's nginx and Caddy. In place of the system's folders there are some of the test's, in
// place of systemd and the worker the test itself, which publishes into the very stores that the page has named.
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { addDays } from "../../readings/calendar.ts";
import { openStore } from "../../store/kinds.ts";
import { newSite } from "../publish/support/published-site.ts";
import { fileEnd } from "../support/ends.ts";
import { type LivePage, openLivePage } from "./live-page.ts";
import { programOf, startConfigured, type WebServer, webServers } from "./web-server.ts";

const atEnd = fileEnd();
const [nginx, caddy] = webServers;
const root = fileURLToPath(new URL("../../", import.meta.url));
let folder = "";
let page: LivePage;
let url = "https://stars.example";

/** Folders of the system, each below the test's own. */
const system = [
  "/etc/systemd/",
  "/etc/almanac/",
  "/etc/nginx/",
  "/etc/caddy/",
  "/srv/almanac",
  "/var/lib/almanac",
];
const here = (text: string): string => system.reduce((all, one) => all.replaceAll(one, folder + one), text);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-live-"));
  atEnd(() => rm(folder, { recursive: true }));
  for (const one of ["etc/almanac", "etc/nginx/conf.d", "etc/caddy", "var/lib/almanac", "srv"])
    await mkdir(join(folder, one), { recursive: true });
  await writeFile(
    join(folder, "almanac.config.ts"),
    `export default { site: { url: "https://stars.example" }, languages: ["en", "hi"] };\n`,
  );
  await cp(join(root, "deploy"), join(folder, "deploy"), { recursive: true });
  if (nginx === undefined || caddy === undefined) throw new Error("there were two web servers");
  const said = join(folder, "said");
  const told = (name: string): string => `echo "${name} $*" >> "${said}"`;
  page = await openLivePage("hosting.md", {
    section: "Serve the site with nginx or Caddy",
    folder,
    ours: () => [
      ["https://stars.example", url],
      ...system.map((one): [string, string] => [one, folder + one]),
    ],
    programs: {
      ...Object.fromEntries(["useradd", "chown", "systemctl", "apt-get"].map((name) => [name, told(name)])),
      // The current user may listen only on a high port.
      nginx: `sed 's/listen 80;/listen 127.0.0.1:18080;/' "${folder}/etc/nginx/conf.d/almanac.conf" > "${folder}/almanac.conf"
printf 'events {}\\nhttp { include ${folder}/almanac.conf; }' > "${folder}/nginx.conf"
exec ${programOf("nginx", "nginx-light")} -p "${folder}" -e stderr -g "pid ${folder}/pid;" -c "${folder}/nginx.conf" "$@"`,
    },
  });
});

/** Publishes like a worker that systemd has started with that environment. */
async function publishAsWorker(): Promise<void> {
  const lines = (await readFile(join(folder, "etc/almanac/environment"), "utf8")).trim().split("\n");
  const { ALMANAC_VAULT: vault = "", ALMANAC_SITE: site = "" } = Object.fromEntries(
    lines.map((one) => one.split("=")),
  );
  const stores = { vault: openStore(vault, { isPrivate: true }), site: openStore(site, { lockedIn: vault }) };
  const published = newSite({ site: { url: "https://stars.example" } }, stores);
  const now = new Date().toISOString();
  published.setClock(now);
  await published.gather(addDays(now.slice(0, 10), -1), addDays(now.slice(0, 10), 1));
  await published.night();
}

async function started(server: WebServer, file: string, ours: readonly [RegExp, (port: number) => string][]) {
  return startConfigured(server, join(folder, "srv/almanac/site"), folder, atEnd, async ({ port }) => {
    let text = here(await readFile(join(folder, file), "utf8"));
    for (const [theirs, own] of ours) {
      expect(text).toMatch(theirs);
      text = text.replace(theirs, own(port));
    }
    return text;
  });
}

test("leads from a worker to readers, with nginx and with Caddy", { timeout: 300_000 }, async () => {
  if (nginx === undefined || caddy === undefined) throw new Error("there were two web servers");
  await page.follow("sudo useradd --system");
  const said = await readFile(join(folder, "said"), "utf8");
  expect(said).toMatch(
    /^useradd .* almanac\nchown -R almanac: .*\nsystemctl daemon-reload\nsystemctl restart almanac-worker\n$/,
  );
  const dropIn = await readFile(
    join(folder, "etc/systemd/system/almanac-worker.service.d/web-server.conf"),
    "utf8",
  );
  expect(dropIn).toMatch(/^DynamicUser=no\nUser=almanac\nReadWritePaths=\/srv\/almanac$/m);
  await publishAsWorker();
  expect(existsSync(join(folder, "srv/almanac/site/en/daily/leo/index.html"))).toBe(true);

  const { stderr } = await page.follow("sudo nginx -t");
  expect(stderr).toContain("syntax is ok");
  expect(stderr).not.toContain("[warn]");
  const withNginx = await started(nginx, "etc/nginx/conf.d/almanac.conf", [
    [/listen 80;/, (port) => `listen 127.0.0.1:${port};`],
    [/server_name stars\.example;/, () => "server_name localhost;"],
  ]);
  await page.follow("caddy validate");
  const withCaddy = await started(caddy, "etc/caddy/Caddyfile", [
    [/^stars\.example \{/m, (port) => `http://127.0.0.1:${port} {`],
  ]);
  expect(await readFile(join(folder, "said"), "utf8")).toMatch(
    /systemctl reload nginx\n[^]*systemctl reload caddy\n$/,
  );

  url = withNginx;
  const environment = await readFile(join(folder, "etc/almanac/environment"), "utf8");
  await appendFile(join(folder, "variables"), environment.replaceAll(/^(?=A)/gm, "export "));
  const look = await page.follow("npx almanac verify");
  expect(look.stdout).toMatch(/\nsound\n\{/);
  expect(look.stdout).toMatch(/"language": ?"hi"/);
  expect(page.left()).toEqual([]);
  expect((await fetch(`${withCaddy}/en/daily/leo/`)).status).toBe(200);
});
