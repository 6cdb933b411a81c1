// Causes a night's faults at their times, and repairs everything before it returns.
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { World } from "../support/night.ts";
import type { Crew } from "./crew.ts";
import type { ServiceTrouble, Trouble, WorkerTrouble } from "./plan.ts";

/** Longer than the heartbeat timeout (15 s), so a frozen worker's tasks go to the other one. */
const frozenMs = 18_000;
const outageMs = 5_000;
const unrotatedMs = 4_000;
const lookEveryMs = 60;
const publishMs = 3_000;

export interface Scene {
  readonly world: World;
  readonly crew: Crew;
  readonly tokenFile: string;
  /** Resolves when this share of the work is done; rejects when `ended` does. */
  readonly comesTo: (share: number) => Promise<void>;
  /** Aborts when the work has ended. */
  readonly ended: AbortSignal;
}

/** A share of the night's calls; from 1 on it is meant for the publish. */
export function inNight(requests: number, callsBefore: number, { sandbox }: World, ended: AbortSignal) {
  return async (share: number): Promise<void> => {
    const calls = Math.ceil(share * requests);
    while ((await sandbox.stats()).calls - callsBefore < calls)
      await delay(lookEveryMs, undefined, { signal: ended });
  };
}

/** A publish takes some seconds, in most of which it writes. */
export function inPublish(ended: AbortSignal) {
  return async (share: number): Promise<void> => {
    await delay(share * publishMs, undefined, { signal: ended });
  };
}

/** Lists the caused faults: the work may end before a fault's time. */
export async function bringAbout(
  trouble: Trouble,
  when: "night" | "publish",
  scene: Scene,
): Promise<string[]> {
  const { service, worker, store } = trouble;
  const planned = [
    { at: trouble.serviceAt, name: service, act: serviceActs[service] },
    { at: trouble.workerAt, name: worker, act: workerActs[worker] },
    { at: trouble.storeAt, name: `${store} refused`, act: store === "none" ? undefined : refuseWrites },
    { at: trouble.clockAt, name: "clock step", act: trouble.clock === "step" ? stepClocks : undefined },
  ];
  const done = await Promise.all(
    planned.map(async ({ at, name, act }) => {
      const isNow = when === "night" ? at < 1 : at >= 1;
      if (act === undefined || !isNow || !(await comesTo(at % 1, scene))) return [];
      await act(scene, trouble);
      return [when === "night" ? name : `${name} in the publish`];
    }),
  );
  return done.flat();
}

async function comesTo(share: number, scene: Scene): Promise<boolean> {
  try {
    await scene.comesTo(share);
    return !scene.ended.aborted;
  } catch (error) {
    if (scene.ended.aborted) return false;
    throw error;
  }
}

type Act = (scene: Scene, trouble: Trouble) => Promise<void>;

/** The other kinds are rules of the sandbox, from the beginning of the night to its end. */
const serviceActs: Partial<Record<ServiceTrouble, Act>> = {
  async outage({ world }) {
    await world.sandbox.faults([{ fault: "http503" }]);
    await delay(outageMs);
    await world.sandbox.clearFaults();
  },
  async rotation({ world, tokenFile }) {
    const token = randomUUID();
    await world.sandbox.credentials({ token });
    await delay(unrotatedMs);
    await writeFile(tokenFile, token);
  },
};

const workerActs: Partial<Record<WorkerTrouble, Act>> = {
  async killed({ crew }) {
    await crew.mortal.kill();
    await crew.replaceMortal();
  },
  async stopped({ crew }) {
    const code = await crew.mortal.stop();
    if (code !== 0) throw new Error(`a worker that was told to stop ended with code ${code}`);
    await crew.replaceMortal();
  },
  async frozen({ crew }) {
    crew.mortal.freeze();
    await delay(frozenMs);
    crew.mortal.thaw();
  },
};

/** Longer than any call, and so short that no language's day turns: its service would be asked for another one's text. */
const stepMs = 30 * 60_000;
const steppedMs = 3_000;

async function stepClocks({ crew }: Scene): Promise<void> {
  crew.jump(stepMs);
  await delay(steppedMs);
  crew.jump(0);
}

/** A file where the store's folder for unfinished writes was: everybody is refused, whatever rights they have. */
async function refuseWrites({ world, crew }: Scene, { store, refusesForMs }: Trouble): Promise<void> {
  const workshop = join(world.folder, store, ".writing");
  const away = join(world.folder, `${store}-away`);
  await crew.whileStill(async () => {
    await mkdir(workshop, { recursive: true }); // the site may not have been written to yet
    await rename(workshop, away);
    await writeFile(workshop, "");
  });
  await delay(refusesForMs);
  await crew.whileStill(async () => {
    await rm(workshop);
    await rename(away, workshop);
  });
}
