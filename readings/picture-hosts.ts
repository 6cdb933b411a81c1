// Hosts of the pictures that readers see: only listed hosts, by https. Pages, data, the pages' policy and the copies use one list,
// because any other URL in a response could lead a reader's browser anywhere, even into the reader's own network.

/** The sandbox's. The service's interface names none, so that an account's own stand in the configuration. */
export const knownPictureHosts: readonly string[] = ["cards.example"];

interface PictureSettings {
  readonly hosts: readonly string[];
  readonly mirror?: { readonly hosts?: readonly string[] };
}

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A name and no address: its last label begins with a letter, which that of an address in numbers never does. */
export const hostPattern = new RegExp(
  `^(?=.{1,253}(?::|$))(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\\d{1,5})?$`,
);

/** Every host whose pictures are shown, or copied where the site has copies. */
export function listedPictureHosts({ hosts, mirror }: PictureSettings): string[] {
  return [...new Set([...knownPictureHosts, ...hosts, ...(mirror?.hosts ?? [])])];
}

/** The address of a picture of one of these hosts; undefined for all else. */
export function shownPicture(address: string, hosts: readonly string[]): URL | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return undefined;
  return hosts.includes(url.host) ? url : undefined;
}

/** The line of the configuration that would let these origins' pictures in; undefined where none of them can be listed. */
export function lineToList(origins: readonly string[], { hosts }: PictureSettings): string | undefined {
  const named = origins.flatMap((origin) => /^https:\/\/(.+)$/.exec(origin)?.[1] ?? []);
  const more = named.filter((host) => hostPattern.test(host) && !hosts.includes(host));
  const all = [...hosts, ...more].map((host) => JSON.stringify(host)).join(", ");
  return more.length === 0 ? undefined : `pictures: { hosts: [${all}] }`;
}
