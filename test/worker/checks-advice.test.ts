// Each remedy of `almanac check` for a setting is applied, and then the check passes.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { placeOn } from "../support/places.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { openFolder } from "../../store/folder.ts";
import type { Check } from "../../worker/checks/check.ts";
import { checkLanguages, checkZones } from "../../worker/checks/machine.ts";
import { Leases, withLease } from "../../store/lease.ts";
import { layout } from "../../vault/files.ts";
import { identify } from "../../vault/installation.ts";
import { themeModule, writeInto } from "../support/theme-folder.ts";
import { newChecking } from "./support/checking.ts";
import { clockMovedBy } from "../support/noon.ts";

const { folder, pageUrl, checked } = await newChecking();

interface Settings {
  readonly env?: Readonly<Record<string, string>>;
  readonly configuration?: object;
}

interface Advice {
  readonly check: string;
  readonly wrong: Settings;
  readonly remedy: string;
  /** Settings after the remedy. */
  readonly done: Settings;
}

/** Writes a file below the folder and gives its path. */
async function written(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const table: readonly [string, () => Promise<Advice>][] = [
  [
    "a value that is none",
    async () => ({
      check: "environment",
      wrong: { env: { ALMANAC_S3_CHECKSUMS: "never" } },
      remedy: "fix or remove ALMANAC_S3_CHECKSUMS",
      done: { env: { ALMANAC_S3_CHECKSUMS: "" } },
    }),
  ],
  [
    "a misspelt variable",
    async () => ({
      check: "environment",
      wrong: { env: { ALMANAC_ALRT_URL: pageUrl() } },
      remedy: "rename it to ALMANAC_ALERT_URL",
      done: { env: { ALMANAC_ALRT_URL: "", ALMANAC_ALERT_URL: pageUrl() } },
    }),
  ],
  [
    "a bucket that can't be one",
    async () => ({
      check: "environment",
      wrong: { env: { ALMANAC_VAULT: "s3://No" } },
      remedy: "fix or remove ALMANAC_VAULT",
      done: {},
    }),
  ],
  [
    "a file for alerts without an address",
    async () => ({
      check: "alerts",
      wrong: { env: { ALMANAC_ALERT_URL_FILE: await written("alert", "nowhere") } },
      remedy: "set ALMANAC_ALERT_URL to a URL",
      done: { env: { ALMANAC_ALERT_URL_FILE: await written("alert-address", pageUrl()) } },
    }),
  ],
  [
    "an address for alerts that nobody has",
    async () => ({
      check: "alerts",
      wrong: { env: { ALMANAC_ALERT_URL: "http://127.0.0.1:1/" } },
      remedy: "check that ALMANAC_ALERT_URL is correct, and that this machine can reach it",
      done: { env: { ALMANAC_ALERT_URL: pageUrl() } },
    }),
  ],
  [
    "a clock two hours ahead",
    async () => ({
      check: "clock",
      wrong: { env: clockMovedBy(7_200_000) },
      remedy: "synchronize the clock (timedatectl set-ntp true), or check the other server's clock",
      done: { env: clockMovedBy(0) },
    }),
  ],
  [
    "a setting that there is not",
    async () => ({
      check: "configuration",
      wrong: { configuration: { langauges: ["en"] } },
      remedy: "fix it in /",
      done: { configuration: { languages: ["en"] } },
    }),
  ],
  [
    "a profile that nobody wrote",
    async () => {
      const path = await written("temporal.toml", "");
      const fixed = `[profile.nights]\nnamespace = "default"\n`;
      const named = { TEMPORAL_PROFILE: "nights" };
      return {
        check: "Temporal",
        wrong: { env: { ...named, TEMPORAL_CONFIG_FILE: path } },
        remedy: "fix the profile or file that these variables name (TEMPORAL_",
        done: { env: { ...named, TEMPORAL_CONFIG_FILE: await written("fixed.toml", fixed) } },
      };
    },
  ],
  [
    "a theme with a wrong part",
    async () => {
      const slots = { footer: "footer.html" };
      writeInto(folder, {
        "wrong/theme.ts": themeModule({ slots }),
        "wrong/footer.html": "<footer>",
        "right/theme.ts": themeModule({ slots }),
        "right/footer.html": "<footer>Ours</footer>",
      });
      return {
        check: "theme",
        wrong: { configuration: { theme: "./wrong" } },
        remedy: "fix it there",
        done: { configuration: { theme: "./right" } },
      };
    },
  ],
  [
    "a site by http",
    async () => ({
      check: "site: URL",
      wrong: { configuration: { site: { url: "http://almanac.invalid" } } },
      remedy: "serve the site over https, and change site.url",
      done: { configuration: { site: { url: "https://almanac.invalid" } } },
    }),
  ],
];

/** Remaining remedies for the subject of a check. */
const leftOf = (checks: readonly Check[], name: string): Check[] =>
  checks.filter((check) => check.remedy !== undefined && check.name === name);

describe("the remedy of a check is applied, and then the check passes:", () => {
  test.each(table)("%s", async (_, make) => {
    const { check, wrong, remedy, done } = await make();
    const said = (await checked(wrong.env ?? {}, wrong.configuration)).filter(({ name }) => name === check);
    expect(said.map((one) => one.remedy)).toContainEqual(expect.stringContaining(remedy));
    vi.unstubAllEnvs();
    expect(leftOf(await checked(done.env ?? {}, done.configuration), check)).toEqual([]);
  });
});

test("a vault that others can read is made private by the remedy", async () => {
  const open = join(folder, "open");
  await mkdir(open);
  await chmod(open, 0o755);
  await chmod(folder, 0o755);
  const env = { ALMANAC_VAULT: pathToFileURL(open).href };
  const said = (await checked(env)).find(({ name }) => name === "vault: private");
  expect(said?.remedy).toBe(`chmod 700 ${open}`);
  await chmod(open, 0o700);
  expect(leftOf(await checked(env), "vault: private")).toEqual([]);
});

test("an old Node, or one without the site's languages, is to be changed for one that has them", () => {
  const configuration = configurationSchema.parse({ languages: ["en", "hi"] });
  const year = Number(process.versions["tz"]?.slice(0, 4));
  const at = (after: number) => checkZones(configuration, new Date(Date.UTC(year + after, 5, 1)));
  const update = "install a current Node with full ICU, such as the one that `npm ci` installs";
  expect(at(2)).toMatchObject({ ok: true, remedy: update });
  expect(at(1).remedy).toBeUndefined();
  expect(checkLanguages(configuration).remedy).toBeUndefined();
  const small = vi.spyOn(Intl.DateTimeFormat, "supportedLocalesOf").mockReturnValue(["en"]);
  onTestFinished(() => small.mockRestore());
  expect(checkLanguages(configuration)).toMatchObject({
    ok: false,
    seen: expect.stringContaining("no date formats for hi"),
    remedy: "install a Node with full ICU, such as the one that `npm ci` installs",
  });
});

test("a check next to a calling worker reports who calls", async () => {
  const vault = join(folder, "taken");
  await mkdir(vault, { mode: 0o700 });
  const store = openFolder(vault);
  await identify(placeOn({ vault: store, site: openFolder(join(folder, "taken-site")) }));
  const where = "4711@host";
  const leases = new Leases({
    store,
    lockFolder: join(vault, ".writing"),
    where,
    log: { warn: () => undefined },
  });
  const env = { ALMANAC_VAULT: pathToFileURL(vault).href };
  const only = { languages: ["en"] };
  const taking = { purpose: "almanac worker", maxWaitMs: 0 };
  const said = await withLease(leases, layout.lease("english"), taking, async () =>
    (await checked(env, only)).find(({ name }) => name === "service: english"),
  );
  expect(said).toMatchObject({ ok: true, remedy: "run the check again when no run is active" });
  expect(said?.seen).toContain("in use by 4711@host (almanac worker) since");
  expect(leftOf(await checked(env, only), "service: english")).toEqual([]);
});
