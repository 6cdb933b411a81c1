// A language that stops because a rule refuses its answers: how many calls that takes, its probes, and its ends.
import { expect, test } from "vitest";
import type { CardRequest } from "../../readings/request.ts";
import { AddressGate } from "../../vault/address-gate.ts";
import { stoppedLanguages } from "../../vault/stopped-languages.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";

const start = Date.parse("2026-11-21T00:05:00Z");
const halfHourMs = 30 * 60_000;
const period = "2026-11-21";
const tarot = { operation: "daily-tarot", language: "it", period } as const;
const wisdom = { operation: "wisdom-reading", language: "it", period } as const;
const german = { ...tarot, language: "de" } as const;

function world(levels = "") {
  const vault = createVault(openMemory());
  let ms = start;
  const worker = (own: string) => new AddressGate(vault, () => new Date(ms), own);
  return { vault, gate: worker(levels), worker, pass: (byMs: number) => void (ms += byMs) };
}

const told = (run: string) => ({
  run,
  key: "daily/2026-11-21/it/daily-tarot/reading",
  seen: "it reads like en",
});

/** How often the rule refuses until the language stops; at most 200 times. */
async function refusalsUntilStop(
  gate: AddressGate,
  requests: readonly CardRequest[],
  { run = "a-night", rules = ["language"] } = {},
): Promise<number | undefined> {
  for (let count = 1; count <= 200; count += 1) {
    const request = requests[count % requests.length];
    const rule = rules[count % rules.length];
    if (request === undefined || rule === undefined) throw new Error("nothing to refuse");
    if ((await gate.languages.refused(request, rule, told(run))) !== undefined) return count;
  }
  return undefined;
}

const isHeld = async (gate: AddressGate, request: CardRequest) => (await gate.held(request)) !== undefined;

test("a dozen refusals by one rule stop a language; two dozen if they are all of one operation", async () => {
  const { gate, vault } = world();
  expect(await refusalsUntilStop(gate, [tarot, wisdom])).toBe(12);
  expect(await isHeld(gate, tarot)).toBe(true);
  expect(await isHeld(gate, german)).toBe(false);
  expect(await stoppedLanguages(vault)).toMatchObject([{ language: "it", rule: "language", run: "a-night" }]);
  expect(await refusalsUntilStop(world().gate, [tarot])).toBe(24);
});

test("refusals by several rules, or next to fit answers, take more", async () => {
  expect(
    await refusalsUntilStop(world().gate, [tarot, wisdom], { rules: ["language", "short", "sign"] }),
  ).toBe(34);
  const { gate } = world();
  for (let answer = 0; answer < 3; answer += 1) await gate.languages.fit(tarot, "a-night");
  expect(await refusalsUntilStop(gate, [tarot, wisdom])).toBe(48);
});

test("a stopped language has a probe every half hour, twelve at most, and a fit one resumes it", async () => {
  const { gate, vault, pass } = world();
  await refusalsUntilStop(gate, [tarot, wisdom]);
  let probes = 0;
  let isFit = false;
  const watch = async () => {
    const end = new AbortController();
    const probe = async () => {
      probes += 1;
      return { isAnswered: true, isFit };
    };
    const probed = () => Promise.resolve();
    const watching = gate.watch({ request: tarot, answerTimeoutMs: 1_000, probe, probed }, end.signal);
    end.abort(); // of the wait after a probe
    return watching.then(
      () => "resumed",
      () => "stopped",
    );
  };
  expect([await watch(), probes]).toEqual(["stopped", 0]);
  for (let count = 1; count <= 20; count += 1) {
    pass(halfHourMs);
    await watch();
    await watch();
    expect(probes).toBe(Math.min(count, 12));
  }
  await gate.languages.resumeAll();
  await refusalsUntilStop(gate, [tarot, wisdom], { run: "another-night" });
  pass(halfHourMs);
  isFit = true;
  expect([await watch(), probes]).toEqual(["resumed", 13]);
  expect(await isHeld(gate, tarot)).toBe(false);
  expect(await stoppedLanguages(vault)).toEqual([]);
});

test("a language resumes when a run starts, and under other levels of the rules", async () => {
  const { gate, vault, worker } = world("{}");
  await refusalsUntilStop(gate, [tarot, wisdom]);
  expect(await isHeld(worker("{}"), tarot)).toBe(true);
  const other = worker('{"language":"warn"}');
  expect(await isHeld(other, tarot)).toBe(false);
  await other.languages.fit(tarot, "a-night");
  expect(await stoppedLanguages(vault)).toEqual([]);
  await refusalsUntilStop(gate, [tarot, wisdom]);
  await worker("{}").languages.resumeAll();
  expect(await isHeld(gate, tarot)).toBe(false);
  // The run that is under way goes by what it has heard.
  expect(await refusalsUntilStop(gate, [tarot, wisdom])).toBe(1);
});

test("an outage and its end leave a stopped language as it is", async () => {
  const { gate, vault } = world();
  await refusalsUntilStop(gate, [tarot, wisdom]);
  for (let call = 0; call < 6; call += 1) await gate.failed(german, told("a-night"));
  expect(await isHeld(gate, german)).toBe(true);
  expect(await isHeld(gate, tarot)).toBe(true);
  expect(await stoppedLanguages(vault)).toMatchObject([{ language: "it" }]);
});
