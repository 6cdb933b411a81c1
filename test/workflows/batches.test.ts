import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type PublishBatch, PublishBatches } from "../../workflows/batches.ts";

const languages = ["en", "hi", "ta"] as const;
const step = fc.record({
  language: fc.constantFrom(...languages),
  what: fc.constantFrom("sets", "end", "publish", "publishEnded"),
});

test("whatever is ready when, each language is published after its end, and what comes last is known to be the last", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.subarray([...languages]), (steps, asked) => {
      const batches = new PublishBatches(new Set(languages).difference(new Set(asked)), asked);
      const left = new Set<string>(asked);
      const taken: PublishBatch[] = [];
      const publish = (): void => {
        if (!batches.isDue()) return;
        const batch = batches.take();
        if (batch !== undefined) taken.push(batch);
      };
      for (const { what, language } of steps) {
        if (what === "publish") publish();
        else if (what === "publishEnded") {
          const ended = batches.takeEnded();
          expect(ended?.languages.filter((one) => left.has(one)) ?? []).toEqual([]);
          if (ended !== undefined) taken.push(ended);
        } else if (!left.has(language)) continue;
        else if (what === "sets") batches.hasSets(language);
        else if (left.delete(language)) batches.hasEnded(language);
      }
      for (const language of languages) if (left.delete(language)) batches.hasEnded(language);
      publish();
      expect(taken.at(-1)?.last).toBe(true);
      expect(batches.take()).toBeUndefined();
      expect(new Set(taken.flatMap((batch) => batch.languages))).toEqual(new Set(languages));
    }),
  );
});
