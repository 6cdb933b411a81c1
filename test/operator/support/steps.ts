// Random next actions of an operator: one step of a sequence, with its description for readers of a failing one.
import fc from "fast-check";

const languages = ["en", "hi"] as const;
const signs = ["leo", "aries"] as const;

export type Step =
  | {
      readonly kind: "withdraw";
      readonly language: (typeof languages)[number];
      readonly sign: (typeof signs)[number];
      /** Age of the text in days; undefined for the current page. */
      readonly daysAgo: number | undefined;
    }
  | { readonly kind: "undo"; readonly index: number; readonly isHinted: boolean }
  | {
      readonly kind: "rollback";
      /** Number of versions back; undefined for the previous state. */
      readonly versions: number | undefined;
      readonly language: (typeof languages)[number] | undefined;
    }
  | { readonly kind: "render"; readonly language: (typeof languages)[number] | undefined }
  | { readonly kind: "night"; readonly brings: "nothing" | "another text" | "a refused text" }
  | {
      readonly kind:
        | "accept"
        | "retry"
        | "publish"
        | "gc"
        | "repair"
        | "day"
        | "hindi in or out"
        | "another name";
    };

const language = fc.constantFrom(...languages);
const maybeLanguage = fc.option(language, { nil: undefined, freq: 2 });

/** Withdrawals and rollbacks come most often: their effects meet. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("withdraw" as const),
      language,
      sign: fc.constantFrom(...signs),
      daysAgo: fc.option(fc.nat(2), { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("undo" as const), index: fc.nat(3), isHinted: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("rollback" as const),
      versions: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      language: fc.option(language, { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("render" as const), language: maybeLanguage }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("night" as const),
      brings: fc.constantFrom("nothing", "another text", "a refused text"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "accept",
        "retry",
        "publish",
        "gc",
        "repair",
        "day",
        "hindi in or out",
        "another name",
      ),
    }),
  },
);

export const sequences = fc.array(step, { minLength: 2, maxLength: 6, size: "max" });

export function wordsOf(one: Step): string {
  const { kind, ...more } = one;
  return [kind, ...Object.values(more).map(String)].join(" ");
}
