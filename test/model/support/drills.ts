// Events of seeds about decisions: other settings, an upgrade, files that a disk loses, and a vault that comes back from its backup.
import { pick } from "../../../packages/sandbox/random.ts";
import type { RequestKey } from "../../../readings/request.ts";
import { layout, siteFolders } from "../../../vault/files.ts";
import { openMemory } from "../../support/memory.ts";
import { ownKey } from "../../support/places.ts";
import { keysOf } from "../../support/stores.ts";
import type { Deed } from "./commands.ts";
import { configured } from "./foundation.ts";
import type { World } from "./world.ts";

export class Drills {
  readonly #world: World;
  readonly #backup = openMemory(() => new Date(this.#world.stage.atMs));
  /** The decisions at the last backup. */
  #backedUp: { readonly names: ReadonlySet<string>; readonly withdrawn: ReadonlySet<RequestKey> } | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** The events of a day, each with its likelihood. */
  get events(): readonly (readonly [number, () => Promise<void>])[] {
    return [
      [0.4, () => this.setReview()],
      [0.3, () => this.#upgrade()],
      [0.4, () => this.#loseResponse()],
      [0.4, () => this.#loseDecision()],
    ];
  }

  async setReview(): Promise<void> {
    const { stage, configuration, marks } = this.#world;
    const mode = pick(stage.random, ["none", "before", "before", "before", "after"] as const);
    const late = stage.chance(0.3) ? "publish" : "hold";
    const { review } = configured("decisions", undefined, { en: { mode, late } });
    if (JSON.stringify(review) !== JSON.stringify(configuration.review))
      marks.reach("a review setting that changed");
    this.#world.configuration = { ...configuration, review };
  }

  /** Almanac's next version has other templates. */
  async #upgrade(): Promise<void> {
    const world = this.#world;
    world.release += 1;
    const site = { ...world.configuration.site, name: `Almanac ${world.release}` };
    world.configuration = { ...world.configuration, site };
  }

  /** The service is asked again, and sends another text. */
  async #loseResponse(): Promise<void> {
    const { stage, reference, stores } = this.#world;
    const key = pick(stage.random, [...reference.kept.keys()].slice(-2));
    reference.kept.delete(key);
    await stores.vault.remove([layout.response(key)]);
  }

  /** Loses one of two copies. */
  async #loseDecision(): Promise<void> {
    const { stage, marks, stores } = this.#world;
    const copies = new Set(await keysOf(stores.vault, ownKey(siteFolders.journal)));
    const others = [...copies].map((key) => key.replace(/\.1\.json$/, ".2.json"));
    const whole = others.filter((key, index) => copies.has(key) && key !== [...copies][index]);
    if (whole.length === 0) return;
    const lost = pick(stage.random, whole);
    await stores.vault.remove([stage.chance(0.5) ? lost : lost.replace(/\.2\.json$/, ".1.json")]);
    marks.reach("a lost copy of a decision");
  }

  /** Makes a backup, or loses the vault and perhaps the site, and restores them. Nobody else is at work. */
  async hold(done: (deed: Deed) => Promise<void>): Promise<void> {
    const { stage, reference, stores, marks, workers } = this.#world;
    if (reference.isDisturbed) return;
    const backup = this.#backup;
    if (stage.chance(0.3)) {
      await done({ kind: "back up", backup });
      this.#backedUp = { names: reference.decisions.names, withdrawn: new Set(reference.withdrawn) };
    }
    if (this.#backedUp === undefined || !stage.chance(0.4)) return;
    for (const machine of workers) machine.kill();
    for (const store of stage.chance(0.5) ? [stores.vault, stores.site] : [stores.vault])
      await store.remove(await keysOf(store));
    reference.lose(this.#backedUp.withdrawn);
    await done({ kind: "restore", backup });
    reference.decisions.requireRestored(this.#backedUp.names);
    await done({ kind: "repair" });
    marks.reach("a restored vault");
  }
}
