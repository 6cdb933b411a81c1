// Order of the test files: those that mostly wait come early, each followed by some that mostly compute, so that the processor is
// always busy and none is left at the end by itself.
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { deep } from "./deep.ts";

/** With test:deep these run for many minutes: if started last, they would run alone at the end. */
const longInDepth = [
  "publish/repair-damage",
  "model/model",
  "nights/one-machine",
  "nights/killed",
  "publish/publish-crash",
  "service/endpoint-simulation",
  "publish/publish-s3",
  "publish/publish-simulation",
];

/** The longest first, as `npm run test:times` shows them. */
const waiting = [
  "scripts/status",
  "nights/ceiling",
  "nights/partitions",
  "scripts/local",
  "scripts/almanac-engine",
  "nights/outage",
  "nights/stopped-language",
  "nights/deploys",
  "worker/monitor",
  "nights/queues",
  "nights/survival",
  "scripts/schedule",
  "nights/night",
  "scripts/almanac",
  "nights/calendar",
  "nights/sets",
  "nights/away",
  "worker/renewed-connection",
  "nights/one-machine",
  "scripts/almanac-silent",
  "worker/required-conditions",
  "nights/merged",
  "scripts/init",
  "scripts/upgrade",
  "scripts/almanac-upkeep",
  "scripts/almanac-exchanged",
  "store/lease",
  "publish/publish-killed",
  "nights/refused",
  "sandbox/faults",
  "scripts/status-silence",
  "nights/secrets",
  "worker/worker-vanished",
  "nights/further-draws",
  "publish/verify",
  "scripts/reading",
  "nights/call-days",
  "worker/readiness",
  "scripts/almanac-waits",
  "worker/temporal-local",
];

const workingBetween = 2;

export class WaitingEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const early = waiting.flatMap((name) =>
      sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}.test.ts`)),
    );
    const others = sorted.filter((file) => !early.includes(file));
    const from = Math.max(
      0,
      others.findIndex(({ project }) => project.name === "shared"),
    );
    const mixed = others.slice(0, from);
    for (let at = from; at < others.length; at += workingBetween)
      mixed.push(...early.splice(0, 1), ...others.slice(at, at + workingBetween));
    const isLong = ({ moduleId }: TestSpecification) =>
      deep && longInDepth.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const all = [...mixed, ...early];
    return [...all.filter(isLong), ...all.filter((file) => !isLong(file))];
  }
}
