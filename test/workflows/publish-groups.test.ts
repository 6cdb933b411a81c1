import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type PublishGroup, PublishGroups } from "../../workflows/publish-groups.ts";

const languages = ["en", "hi", "ta"] as const;
const step = fc.record({
  language: fc.constantFrom(...languages),
  what: fc.constantFrom("sets", "end", "publish", "publishEnded"),
});

test("in any order, each language is published after its end, and the last publish is known to be the last", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.subarray([...languages]), (steps, asked) => {
      const groups = new PublishGroups(new Set(languages).difference(new Set(asked)), asked);
      const left = new Set<string>(asked);
      const taken: PublishGroup[] = [];
      const publish = (): void => {
        if (!groups.isDue()) return;
        const group = groups.take();
        if (group !== undefined) taken.push(group);
      };
      for (const { what, language } of steps) {
        if (what === "publish") publish();
        else if (what === "publishEnded") {
          const ended = groups.takeEnded();
          expect(ended?.languages.filter((one) => left.has(one)) ?? []).toEqual([]);
          if (ended !== undefined) taken.push(ended);
        } else if (!left.has(language)) continue;
        else if (what === "sets") groups.hasSets(language);
        else if (left.delete(language)) groups.hasEnded(language);
      }
      for (const language of languages) if (left.delete(language)) groups.hasEnded(language);
      publish();
      expect(taken.at(-1)?.last).toBe(true);
      expect(groups.take()).toBeUndefined();
      expect(new Set(taken.flatMap((group) => group.languages))).toEqual(new Set(languages));
    }),
  );
});
