// Paired rounds: each round measures both parts one after the other, alternating, so a slow machine slows both.

export const rounds = 41;
export const warmUps = 5;

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface Pair {
  readonly plain: Spread;
  readonly ours: Spread;
  /** Ratio of the two figures of each round. */
  readonly ratio: Spread;
}

/** Does the part's work once and returns its cost. */
export type Part = () => Promise<number> | number;

export async function pairedRounds(plain: Part, ours: Part): Promise<Pair> {
  const plainCosts: number[] = [];
  const ourCosts: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const plainFirst = round % 2 === 0;
    const first = await (plainFirst ? plain : ours)();
    const second = await (plainFirst ? ours : plain)();
    if (round < 0) continue;
    plainCosts.push(plainFirst ? first : second);
    ourCosts.push(plainFirst ? second : first);
  }
  const ratios = ourCosts.map((cost, round) => cost / (plainCosts[round] ?? Number.NaN));
  return { plain: spreadOf(plainCosts), ours: spreadOf(ourCosts), ratio: spreadOf(ratios) };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { min: at(0), median: at(0.5), max: at(1) };
}

/** Processor time of this process per run in microseconds, which other work on the machine disturbs less than wall-clock time. */
export function processorTime(times: number, run: () => unknown): number {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) run();
  return microsecondsSince(before) / times;
}

/** The same for calls, one after the other. */
export async function processorTimeOfCalls(times: number, call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await call();
  return microsecondsSince(before) / times;
}

function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export function row(name: string, { min, median, max }: Spread, digits = 1): string {
  const figures = [median, min, max].map((figure) => figure.toFixed(digits).padStart(9)).join("");
  return `  ${name.padEnd(44)}${figures}`;
}

export const heading = `  ${"".padEnd(44)}${["median", "min", "max"].map((word) => word.padStart(9)).join("")}`;

export function aim(what: string, ratio: Spread, most: number): string {
  const holds = ratio.median <= most ? "holds" : "is missed";
  return `  the aim ${holds}: ${what} costs ${ratio.median.toFixed(2)} times the plain way, at most ${most} wanted`;
}
