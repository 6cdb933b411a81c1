// The paths on which the site shows refused answers: a person who withdraws a text has to name its page.
import type { PublishedSite } from "../../publish/state/published-files.ts";
import { requestOf } from "../../readings/request.ts";
import { isFolder } from "../../site/address.ts";
import { ownPaths } from "../../site/shown-texts.ts";
import { publishedAmong } from "../../publish/state/published-paths.ts";
import type { RefusedAnswer, Rejudged } from "./answer.ts";

export async function withPaths(rejudged: Rejudged, published: PublishedSite): Promise<Rejudged> {
  const told: RefusedAnswer[] = [];
  for (const one of rejudged.refused) {
    const request = requestOf(one.key);
    const [path] =
      request === undefined ? [] : pagesFirst(await publishedAmong(published, ownPaths(request)));
    told.push({ ...one, path });
  }
  return { ...rejudged, refused: told };
}

function pagesFirst(paths: readonly string[]) {
  const isPage = (path: string) => Number(isFolder(path));
  return paths.toSorted((one, other) => isPage(other) - isPage(one));
}
