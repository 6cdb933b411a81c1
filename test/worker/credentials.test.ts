import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientOf, goodBody, instant, rawServer, reply, tarot } from "../service/raw-server.ts";
import { credentialSource, CredentialsUnreadable } from "../../worker/settings/credentials.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";

interface Files {
  readonly folder: string;
  readonly token: string;
  readonly apiKey: string;
}

function files(): Files {
  const folder = mkdtempSync(join(tmpdir(), "almanac-credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const made = { folder, token: join(folder, "token"), apiKey: join(folder, "api-key") };
  writeFileSync(made.token, "token-one\n");
  writeFileSync(made.apiKey, "key-one");
  return made;
}

function sourceOf({ token, apiKey }: Files) {
  const env = { READING_SERVICE_TOKEN_FILE: token, READING_SERVICE_API_KEY_FILE: apiKey };
  const source = credentialSource(readEnvironment(env));
  if (source === undefined) throw new Error("no source");
  return source;
}

/** Backdates a file, so that only its state decides. */
function age(file: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  utimesSync(file, then, then);
}

async function tokenOf(source: ReturnType<typeof sourceOf>): Promise<string> {
  return (await source()).token.reveal();
}

describe("credentials", () => {
  it("are absent if the environment names none", () => {
    expect(credentialSource(readEnvironment({}))).toBeUndefined();
  });

  it("are read from the environment unchanged", async () => {
    const env = { READING_SERVICE_TOKEN: "token-env", READING_SERVICE_API_KEY: "key-env" };
    const given = await credentialSource(readEnvironment(env))?.();
    expect([given?.token.reveal(), given?.apiKey.reveal()]).toEqual(["token-env", "key-env"]);
  });

  it("are read from files without the last newline", async () => {
    const made = files();
    writeFileSync(made.apiKey, "key-one\r\n");
    const given = await sourceOf(made)();
    expect([given.token.reveal(), given.apiKey.reveal()]).toEqual(["token-one", "key-one"]);
  });

  it("may come from the environment and from a file", async () => {
    const env = { READING_SERVICE_TOKEN: "token-env", READING_SERVICE_API_KEY_FILE: files().apiKey };
    const given = await credentialSource(readEnvironment(env))?.();
    expect([given?.token.reveal(), given?.apiKey.reveal()]).toEqual(["token-env", "key-one"]);
  });
});

describe("a rotated file", () => {
  it("is used by the client's very next call", async () => {
    const made = files();
    const server = await rawServer((socket) => socket.write(reply("200 OK", goodBody)));
    const client = clientOf(server.url, { credentials: sourceOf(made) });
    await client.call(tarot, { instant });
    writeFileSync(made.token, "token-two\n");
    writeFileSync(made.apiKey, "key-two");
    await client.call(tarot, { instant });
    const sent = server.requests.map((text) => [/Bearer (\S+)/.exec(text)?.[1], /key-\w+/.exec(text)?.[0]]);
    expect(sent).toEqual([
      ["token-one", "key-one"],
      ["token-two", "key-two"],
    ]);
  });

  it.each<[string, (made: Files) => void]>([
    ["is rewritten at the same length", ({ token: file }) => writeFileSync(file, "token-two\n")],
    [
      "is replaced by a rename",
      ({ folder, token: file }) => {
        writeFileSync(join(folder, "next"), "token-two\n");
        age(join(folder, "next"), 60);
        renameSync(join(folder, "next"), file);
      },
    ],
    [
      "is a link that is turned, as Kubernetes does it",
      ({ folder, token: file }) => {
        mkdirSync(join(folder, "second"));
        writeFileSync(join(folder, "second", "token"), "token-two\n");
        age(join(folder, "second", "token"), 60);
        symlinkSync(join(folder, "second", "token"), join(folder, "link"));
        renameSync(join(folder, "link"), file);
      },
    ],
  ])("is noticed when it %s", async (_how, rotate) => {
    const made = files();
    age(made.token, 60);
    const source = sourceOf(made);
    expect(await tokenOf(source)).toBe("token-one");
    expect(await tokenOf(source)).toBe("token-one");
    rotate(made);
    expect(await tokenOf(source)).toBe("token-two");
  });

  it("is noticed even if it is written twice within a clock tick", async () => {
    const made = files();
    const source = sourceOf(made);
    const then = Date.now() / 1000;
    for (const word of ["token-one", "token-two", "token-six"]) {
      writeFileSync(made.token, word);
      utimesSync(made.token, then, then);
      expect(await tokenOf(source)).toBe(word);
    }
  });

  it("is not read again while it is unchanged", async () => {
    const made = files();
    age(made.token, 60);
    const source = sourceOf(made);
    const first = (await source()).token;
    expect((await source()).token).toBe(first);
  });
});

describe("an unusable file", () => {
  it.each<[string, (file: string) => void, RegExp]>([
    ["is missing", (file) => rmSync(file), /cannot be read \(ENOENT\)/],
    ["is empty", (file) => writeFileSync(file, ""), /is empty/],
    ["holds a line end alone", (file) => writeFileSync(file, "\n"), /is empty/],
    [
      "holds two lines",
      (file) => writeFileSync(file, "token-hidden\nhidden\n"),
      /contains more than one word/,
    ],
    [
      "holds bytes",
      (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x41])),
      /contains more than one word/,
    ],
    ["is huge", (file) => writeFileSync(file, "hidden".repeat(20_000)), /is too large for a credential/],
    [
      "is a folder",
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      /is not a file/,
    ],
  ])("is named with its variable and path, never its content: it %s", async (_what, spoil, seen) => {
    const made = files();
    const source = sourceOf(made);
    spoil(made.token);
    const error = await source().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(CredentialsUnreadable);
    expect(String(error)).toContain(`READING_SERVICE_TOKEN_FILE: ${made.token} `);
    expect(String(error)).toMatch(seen);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("hidden");
  });

  it("is used again once it is fixed", async () => {
    const made = files();
    const source = sourceOf(made);
    await source();
    writeFileSync(made.token, "");
    await expect(source()).rejects.toThrow(CredentialsUnreadable);
    writeFileSync(made.token, "token-two");
    chmodSync(made.token, 0o600);
    expect(await tokenOf(source)).toBe("token-two");
  });
});
