// Whether a copy is within what a host takes. The manifest tells the files and their sizes, so that it is known before any is read;
// what is too much is told with the days of the archive that would fit.
import { NotCopied, type StateToCopy } from "./copied-state.ts";
import type { Host } from "./hosts.ts";
import { daysIn, leastDays } from "./recent-paths.ts";

/** What a copy comes to. */
export class CopySize {
  files = 0;
  bytes = 0;
  mostFileBytes = 0;
  readonly #folders = new Map<string, number>();

  count(path: string, sizeBytes: number): void {
    this.files += 1;
    this.bytes += sizeBytes;
    this.mostFileBytes = Math.max(this.mostFileBytes, sizeBytes);
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + 1);
  }

  get mostFilesInFolder(): number {
    return this.#folders.values().reduce((most, one) => Math.max(most, one), 0); // they may be more than a call takes
  }
}

/** Throws before anything is read. */
export async function requireWithin(host: Host, days: number | undefined, state: StateToCopy): Promise<void> {
  const files = await sizedFiles(state, host);
  const over = overLimits(sizeWithin(days, files), host);
  if (over.length === 0) return;
  const fitting = mostDaysWithin(host, files);
  const remedy =
    fitting === undefined
      ? `it is too small for this site, also with --days ${leastDays}`
      : `--days ${fitting} would fit, with ${figure(sizeWithin(fitting, files).files)} files`;
  throw new NotCopied(`the copy has ${over.join("; ")}: ${remedy}`);
}

/** What is too much for the host, in words. */
function overLimits(size: CopySize, host: Host): string[] {
  const limits: [is: number, most: number | undefined, what: string][] = [
    [size.files, host.mostFiles, "files"],
    [size.mostFilesInFolder, host.mostFilesInFolder, "files in one folder"],
    [size.bytes, host.mostBytes, "bytes"],
    [size.mostFileBytes, host.mostFileBytes, "bytes in one file"],
  ];
  return limits.flatMap(([is, most, what]) =>
    most === undefined || is <= most ? [] : [`${figure(is)} ${what}, and ${host.name} takes ${figure(most)}`],
  );
}

function mostDaysWithin(host: Host, files: readonly SizedFile[]): number | undefined {
  const fits = (days: number) => overLimits(sizeWithin(days, files), host).length === 0;
  if (!fits(leastDays)) return undefined;
  let fitting = leastDays;
  let tooMany = files.reduce((most, { days }) => Math.max(most, days), leastDays);
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

interface SizedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** With how many days of the archive it is there. */
  readonly days: number;
}

function sizeWithin(days: number | undefined, files: readonly SizedFile[]): CopySize {
  const size = new CopySize();
  for (const file of files)
    if (days === undefined || file.days <= days) size.count(file.path, file.sizeBytes);
  return size;
}

/** All files that a copy may have, its records and the host's own counted in. */
async function sizedFiles(state: StateToCopy, host: Host): Promise<SizedFile[]> {
  const { groups, manifest } = state;
  const daysOf = await daysIn(state);
  const own = [...groups.values()].flatMap((files) =>
    Object.entries(files).map(([path, { size }]) => ({ path, sizeBytes: size, days: daysOf(path) })),
  );
  const others = [...Object.keys(host.files), "pointer", "manifest", ...Object.keys(manifest.parts)];
  return [...own, ...others.map((path) => ({ path, sizeBytes: 0, days: 0 }))];
}

function figure(count: number): string {
  return count.toLocaleString("en");
}
