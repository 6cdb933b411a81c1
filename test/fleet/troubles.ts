// Faults on the machines of a fleet during a night. The start and the end of each are logged.
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../support/night.ts";
import type { Accounts } from "./accounts.ts";
import type { Diary } from "./diary.ts";
import { type Fleet, type FleetWorker, patienceMs, type WorkerStart } from "./fleet.ts";

export interface Trial {
  readonly fleet: Fleet;
  readonly accounts: Accounts;
  readonly diary: Diary;
}

/** A worker's share of the rate holds for 20 s, and others take it after 25 s. */
const longerThanAnyHold = 45_000;

/** A worker that its supervisor restarts; in the end its machine dies too, and another machine replaces it. */
export async function loseMachine(
  { fleet, diary }: Trial,
  worker: FleetWorker,
  elsewhere: WorkerStart,
): Promise<void> {
  const times = 3;
  let now = worker;
  await seenStarted(fleet, worker, 0);
  for (let time = 1; time <= times; time += 1) {
    await now.end("SIGKILL");
    await diary.note(`a worker is killed, and started again (${time} of ${times})`);
    now = await fleet.worker(worker.start);
    await seenStarted(fleet, worker, time);
  }
  await now.end("SIGKILL");
  await diary.note("it is killed with its machine");
  await fleet.worker(elsewhere);
  await diary.note("another machine has a worker in its place");
}

/** Long enough that observers with a five-second interval see each start. */
async function seenStarted({ prometheus }: Fleet, { instance }: FleetWorker, times: number): Promise<void> {
  const query = `changes(almanac_started_timestamp_seconds{instance="${instance}"}[1h]) >= ${times}`;
  await until("a start to be seen", async () => (await prometheus.ask(query)).length > 0, patienceMs);
}

export async function crashPostgres({ fleet: { postgres, prometheus }, diary }: Trial): Promise<void> {
  await postgres.kill();
  await diary.note("PostgreSQL is killed");
  // Expression of the alert for an unreachable Temporal; it fires after five minutes.
  const away = 'avg(almanac_reachable{part="temporal"}) == 0';
  const isAway = async () => (await prometheus.ask(away)).length > 0;
  await until("workers to say that Temporal is away", isAway, patienceMs);
  await delay(10_000);
  await postgres.start();
  await diary.note("... and is there again");
}

export async function cutCable({ diary, accounts }: Trial, { host }: FleetWorker): Promise<void> {
  await host.cut();
  await diary.note("a worker's cable is cut");
  await delay(40_000);
  await accounts.letLateOnesCome(host.reconnect);
  await diary.note("... and fixed");
}

export async function crashHistory({ fleet: { cluster }, diary }: Trial): Promise<void> {
  await cluster.kill("history");
  await diary.note("Temporal's history role is killed");
  await delay(10_000);
  cluster.start("history");
  await diary.note("... and is started again");
}

export async function standStill({ diary, accounts }: Trial, { child }: FleetWorker): Promise<void> {
  child.kill("SIGSTOP");
  await diary.note("a worker stands still");
  await delay(longerThanAnyHold);
  await accounts.letLateOnesCome(async () => child.kill("SIGCONT"));
  await diary.note("... and goes on");
}
