// The paths on which the site shows refused answers: a person who withdraws a text has to name its page.
import type { PublishedSite } from "../../publish/state/published-files.ts";
import { isFurtherDraw, type ReadingRequest, requestOf } from "../../readings/request.ts";
import { isFolder } from "../../site/address.ts";
import { pathOf } from "../../site/paths.ts";
import { ownPaths } from "../../site/shown-texts.ts";
import { publishedAmong } from "../../publish/state/published-paths.ts";
import { isShownInDeck } from "../../publish/state/shown-in-deck.ts";
import type { Vault } from "../../vault/vault.ts";
import type { RefusedAnswer, Rejudged } from "./answer.ts";

type Captures = Pick<Vault, "soundCapture">;

export async function withPaths(
  rejudged: Rejudged,
  published: PublishedSite,
  vault: Captures,
): Promise<Rejudged> {
  const told: RefusedAnswer[] = [];
  for (const one of rejudged.refused) {
    const request = requestOf(one.key);
    told.push({ ...one, path: request && (await pathShowing(request, published, vault)) });
  }
  return { ...rejudged, refused: told };
}

async function pathShowing(
  request: ReadingRequest,
  published: PublishedSite,
  vault: Captures,
): Promise<string | undefined> {
  if (!isFurtherDraw(request)) return pagesFirst(await publishedAmong(published, ownPaths(request)))[0];
  const { language, operation } = request;
  const isShown = await isShownInDeck(request, published, vault);
  return isShown ? pathOf({ row: "deckPage", language, operation }) : undefined;
}

function pagesFirst(paths: readonly string[]) {
  const isPage = (path: string) => Number(isFolder(path));
  return paths.toSorted((one, other) => isPage(other) - isPage(one));
}
