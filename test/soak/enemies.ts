// Two threats before the page changes: clocks that are wrong by more than a year, and somebody who can write to the site's store
// but has no key. Neither may change the readers' view. An operator repairs the intruder's damage, as the alert says.
import { manifestPath, pointerPath } from "../../publish/state/state.ts";
import { isSignedBy } from "../../publish/step/pointer.ts";
import type { runPublish } from "../support/looks.ts";
import { follow } from "../publish/support/look.ts";
import { almanac } from "../support/cli.ts";
import { forgedPaths, forgePart, forgery, forgeState, pointerOn, put } from "../support/forger.ts";
import { textAt } from "../support/stores.ts";
import type { World } from "../support/night.ts";
import type { Crew } from "./crew.ts";
import type { Attack, ClockTrouble } from "./plan.ts";
import { publicKeys } from "./site.ts";
import { type Say, versionOf } from "./whole.ts";

export type PublishDone = Awaited<ReturnType<typeof runPublish>>;
type PublishNow = () => Promise<PublishDone>;

const farMs = 400 * 24 * 60 * 60_000;

/** A publish by workers whose clocks are all wrong publishes no date, and reports it; the next correct one has nothing to repair. */
export async function clocksWrong(
  clock: ClockTrouble,
  publishNow: PublishNow,
  { world, crew }: { readonly world: World; readonly crew: Crew },
  say: Say,
): Promise<string[]> {
  if (clock === "none" || clock === "step") return [];
  const before = await versionOf(world);
  crew.jump(clock === "ahead" ? farMs : -farMs);
  const { changed, staying = [] } = await publishNow();
  crew.jump(0);
  if (changed > 0 || (await versionOf(world)) !== before)
    say(`clocks far ${clock} published ${changed} files`);
  if (clock === "ahead" && staying.length === 0) say("clocks far ahead were believed, and nobody was told");
  const leftMs = Date.parse((await pointerOn(world.site)).expires) - crew.now().getTime();
  if (leftMs < 0) say(`clocks far ${clock} made the site look frozen`);
  return [`clock ${clock}`];
}

/** The attacker's actions; `before` is the pointer saved before the night. */
async function attack(kind: Exclude<Attack, "none">, { site }: World, before: Uint8Array): Promise<void> {
  switch (kind) {
    case "part":
      return forgePart(site);
    case "state":
      return forgeState(site, (pointer) => pointer);
    case "old state":
      return put(site, pointerPath, before);
    case "manifest":
      return site.remove([manifestPath((await pointerOn(site)).manifest)]);
  }
}

export async function attacked(
  kind: Attack,
  before: Uint8Array | undefined,
  publishNow: PublishNow,
  { world }: { readonly world: World },
  say: Say,
): Promise<string[]> {
  if (kind === "none" || before === undefined) return [];
  const version = await versionOf(world);
  await attack(kind, world, before);
  const published = await publishNow().catch((error: unknown) => String(error));
  await requireNoForgery(world, `after "${kind}"`, say);
  const { code, stdout, stderr } = await almanac(["repair", "--yes"], { env: world.env, cwd: world.folder });
  if (code !== 0)
    say(
      `repair after "${kind}" ended with ${code}: ${stdout}${stderr} (the publish: ${JSON.stringify(published)})`,
    );
  await requireNoForgery(world, `after the repair of "${kind}"`, say);
  for (const path of forgedPaths)
    if ((await textAt(world.site, path))?.includes(forgery) === true)
      say(`${path} is still what an attacker wrote`);
  if ((await versionOf(world)) < version) say(`version ${version} went back`);
  await publishNow(); // renders again the pages that a repair took from a past state
  return [`attack: ${kind}`];
}

/** A client with the key accepts our signed state after checking all hashes. */
async function requireNoForgery({ site }: World, when: string, say: Say): Promise<void> {
  if (!isSignedBy(await pointerOn(site), publicKeys)) return;
  const seen = await follow(site).catch(() => undefined); // an invalid pointer shows nobody anything
  for (const [path, { object }] of seen?.files ?? []) {
    const shown = forgedPaths.some((one) => one === path) && (await forgedAt(site, object, path));
    if (shown) say(`${when} our signature covers a forged ${path}`);
  }
}

async function forgedAt(site: World["site"], object: string, path: string): Promise<boolean> {
  const key = `v1/objects/${object}${path.slice(path.lastIndexOf("."))}`;
  return (await textAt(site, key))?.includes(forgery) ?? false;
}
