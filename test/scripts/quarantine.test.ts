// `almanac quarantine` at a terminal: the texts of refused responses come from outside.
import { afterEach, expect, test, vi } from "vitest";
import { acceptAnswer, entryLines } from "../../scripts/quarantine.ts";
import { inOrder, plainLine } from "../../scripts/terminal/output.ts";
import { candidateIn, quarantinedAt } from "../../vault/quarantine.ts";
import { newSite, requestAt } from "../publish/support/published-site.ts";
import { storedResponseOf } from "../support/stored-responses.ts";

afterEach(() => void vi.restoreAllMocks());

const key = "daily/2026-11-21/en/daily-horoscope/leo";
const red = "\u001B[31mred\u001B[39m";

test("a refused text and its reason are shown without escape codes, and so is the question about them", async () => {
  const { configuration, vault } = newSite().publishing;
  const { body, address } = storedResponseOf(requestAt(key));
  const entry = {
    format: 1,
    key,
    type: "Unfit",
    rule: "short",
    reason: `data.travel has ${red} letters`,
    at: "2026-11-21T12:00:00.000Z",
    tries: 4,
    run: "night",
    address: `${address}${red}`,
    body: body.replace(/"travel":"[^"]*"/, String.raw`"travel":"\u001B[32mgreen"`),
  } as const;
  await vault.quarantine(entry);
  const found = await quarantinedAt(vault, key);
  expect(found && candidateIn(found)).toBeDefined();
  const said: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  const judgement = { by: "editor", reason: "good", at: new Date("2026-11-21T12:00:00Z") };
  await acceptAnswer({ configuration, vault }, key, judgement, () => Promise.resolve(false));
  const shown = [...inOrder(entryLines(entry)), ...said].join("\n");
  expect(shown).toMatch(/red.*green/s);
  expect(shown).not.toContain("\u001B");
  expect(shown).not.toContain("[31m");
  expect(plainLine("a\u202Eb\nc")).toBe("a b c");
});
