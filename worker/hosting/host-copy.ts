// The copy of a site for a host, put together: the state that this vault has published, the host's limits and its own files, and
// the key that signs a copy which is a state of its own.
import { type CopiedState, copyState, NotCopied, stateToCopy } from "../../publish/hosting/copied-state.ts";
import { CopySize, requireWithin } from "../../publish/hosting/host-limits.ts";
import type { Host } from "../../publish/hosting/hosts.ts";
import { type Opening, requireOwnVault } from "../opened-site.ts";
import { publishedState } from "../published-state.ts";
import { readerOf } from "../settings/credentials.ts";
import { WrongSettings } from "../settings/environment.ts";
import { signerFor } from "../settings/signer.ts";
import { type Deployed, deployToNetlify } from "./netlify.ts";
import type { PutFile } from "./new-folder.ts";

interface CopyWish {
  readonly host: Host;
  readonly days: number | undefined;
  readonly put: PutFile;
  readonly onProgress: (done: number, of: number) => void;
}

export interface HostCopy extends CopiedState {
  readonly size: CopySize;
  readonly paths: readonly string[];
}

/** Throws where the pointer names no state of this vault's. */
export async function copyForHost(
  { host, days, put, onProgress }: CopyWish,
  opening: Opening,
): Promise<HostCopy> {
  const { site, configuration, environment } = opening;
  await requireOwnVault(opening);
  const { pointer, refusal } = await publishedState(opening);
  if (refusal !== undefined) throw refusal;
  if (pointer === undefined)
    throw new NotCopied("nothing is published yet: `almanac local` or `almanac nightly` does it");
  const state = await stateToCopy(site, pointer);
  await requireWithin(host, days, state);
  const size = new CopySize();
  const paths: string[] = [];
  const take: PutFile = async (path, bytes) => {
    await put(path, bytes);
    size.count(path, bytes.length);
    paths.push(path);
  };
  for (const [path, text] of Object.entries(host.files)) await take(path, new TextEncoder().encode(text));
  const signer = signerFor(environment, configuration);
  const copied = await copyState(state, {
    siteUrl: configuration.site.url,
    days,
    signer,
    put: take,
    onProgress,
  });
  return { ...copied, size, paths };
}

type Deploy = (
  folder: string,
  paths: readonly string[],
  onProgress: (words: string) => void,
) => Promise<Deployed>;

/** Throws before anything is copied where there is no token. */
export function netlifyFor(site: string, { environment }: Opening): Deploy {
  const { netlifyToken, netlifyUrl: endpoint, proxies } = environment;
  if (netlifyToken === undefined) {
    const problem = "not set, nor ALMANAC_NETLIFY_TOKEN_FILE: a personal access token of Netlify's";
    throw new WrongSettings([{ name: "ALMANAC_NETLIFY_TOKEN", problem }]);
  }
  const token = readerOf(netlifyToken);
  return (folder, paths, onProgress) =>
    deployToNetlify(folder, paths, { site, token, proxies, endpoint, onProgress });
}
