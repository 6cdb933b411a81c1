// From an address in the settings to the store behind it.
import { fileURLToPath, pathToFileURL } from "node:url";
import { openFolder } from "./file.ts";
import { openMemory } from "./memory.ts";
import { type Store } from "./store.ts";

/** `file:./.almanac/vault` is relative to the working directory, `file:///srv/site` is not; `memory:` is a new, empty one. */
export function openStore(location: string): Store {
  if (location === "memory:") return openMemory();
  if (location.startsWith("file:")) return openFolder(folderOf(location));
  throw new WrongStoreAddress(location, meant(location));
}

function folderOf(location: string): string {
  const url = URL.parse(location, pathToFileURL(`${process.cwd()}/`).href);
  if (url === null || location === "file:") throw new WrongStoreAddress(location, "");
  if (url.host !== "")
    throw new WrongStoreAddress(location, `: did you mean file:///${url.host}${url.pathname}?`);
  if (url.search !== "" || url.hash !== "") {
    throw new WrongStoreAddress(location, ": in a folder's name write ? as %3F and # as %23");
  }
  return fileURLToPath(url);
}

function meant(location: string): string {
  if (location === "memory") return ": did you mean memory:?";
  return /^[./~]|^\w+$/.test(location) ? `: did you mean file:${location}?` : "";
}

/** A wrong setting: shown without what may stand before an @, which could be a password. */
export class WrongStoreAddress extends Error {
  override readonly name = "WrongStoreAddress";
  readonly type = "WrongStoreAddress";
  constructor(location: string, guess: string) {
    const shown = JSON.stringify(location.replace(/\/\/.*@/, "//").slice(0, 200));
    super(
      `${shown} is not a store address this version knows (file:./folder, file:///folder, memory:)${guess}`,
    );
  }
}
