import { expect, test } from "vitest";
import { languageNames, signs } from "../../readings/tables.ts";
import { signNames, signsNamedIn } from "../../readings/sign-names.ts";

test.each(languageNames)(
  "every sign is known by its name in %s, in either case, and by no other sign's",
  (language) => {
    for (const sign of signs) {
      const name = signNames[language][sign];
      for (const said of [name, name.toUpperCase(), name.toLowerCase(), name.toLocaleUpperCase(language)]) {
        expect([said, ...signsNamedIn(said)]).toEqual([said, sign]);
      }
    }
  },
);

test("a sign is found within a longer name, and no sign in a word that is none", () => {
  expect([...signsNamedIn("signo de Áries")]).toEqual(["aries"]);
  expect([...signsNamedIn("Steinbock (Sternzeichen)")]).toEqual(["capricorn"]);
  expect([...signsNamedIn("Ophiuchus")]).toEqual([]);
});
