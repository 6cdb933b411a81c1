// The links of the OpenAPI document: which answer names what another path takes, so that a program, or a person in a viewer,
// gets from the index to the newest texts and from the pointer to the state without a date or a hash of their own.
import { sampleValues } from "./open-api-examples.ts";
import { namesIn, type Offer } from "./open-api-offers.ts";
import { tree } from "./tree.ts";

interface Link {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** By the operation that they lead to. */
export type Links = Readonly<Record<string, Link>>;

/** Undefined where an answer leads nowhere. */
export function linksFrom({ row }: Offer, all: readonly Offer[]): Links | undefined {
  if (row === tree.languageIndex) {
    const newest = all.filter(({ row: to, path }) => to.stage === "dated" && path.includes("{language}"));
    return linksTo(newest, "the newest", toNewest);
  }
  const one = (to: typeof row, parameters: Record<string, string>) =>
    linksTo(
      all.filter((offer) => offer.row === to),
      "the one that this names",
      () => parameters,
    );
  if (row === tree.index)
    return one(tree.languageIndex, { language: "$response.body#/languages/0/language" });
  return row === tree.pointer ? one(tree.manifest, { hash: "$response.body#/manifest" }) : undefined;
}

function linksTo(
  offers: readonly Offer[],
  which: string,
  parameters: (offer: Offer) => Record<string, string>,
): Links {
  return Object.fromEntries(
    offers.map((offer) => {
      const description = `${offer.summary}: ${which}`;
      return [offer.id, { operationId: offer.id, description, parameters: parameters(offer) }];
    }),
  );
}

/** A language's index names itself, and of each operation the newest period. */
function toNewest({ path, row, operation = row.of }: Offer): Record<string, string> {
  const period = `$response.body#/newest/${operation}`;
  const named = {
    language: "$response.body#/language",
    date: period,
    week: period,
    month: period,
    year: period,
  };
  const values: Readonly<Record<string, string>> = { ...sampleValues, ...named };
  return Object.fromEntries(namesIn(path).map((name) => [name, values[name] ?? ""]));
}
