// The order of the test files: those that wait more than they work come early, each with some that work between it and the
// next, so that the processor has work at all times and none of them is left at the end with nothing beside it.
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { deep } from "./deep.ts";

/** With test:deep these work for many minutes: begun last, one of them would be left alone at the end. */
const longInDepth = [
  "publish/repair-damage",
  "model/model",
  "nights/one-machine",
  "nights/killed",
  "nights/one-machine",
  "publish/publish-crash",
  "service/endpoint-simulation",
  "publish/publish-s3",
  "publish/publish-simulation",
];

/** The longest first. */
const waiting = [
  "nights/one-machine",
  "nights/survival",
  "nights/outage",
  "nights/merged",
  "nights/night",
  "scripts/local",
  "scripts/almanac-engine",
  "nights/owner",
  "nights/queues",
  "nights/ceiling",
  "nights/deploys",
  "worker/monitor",
  "worker/worker-vanished",
  "scripts/status-silence",
  "nights/calendar",
  "nights/refused",
  "nights/sheets",
  "nights/call-days",
  "scripts/bars",
  "nights/secrets",
  "nights/further-draws",
  "nights/away",
];

const workingBetween = 4;

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
