// Log of a night: one line per event with its time and the night's progress, printed as a table at the end.
import { mostInASecond, nowMs } from "../support/sends.ts";
import type { Accounts } from "./accounts.ts";
import type { Fleet } from "./fleet.ts";

export type Diary = ReturnType<typeof createDiary>;

export function createDiary({ look }: Pick<Accounts, "look">, { sends }: Pick<Fleet, "sends">) {
  const beganMs = nowMs();
  let beforeMs = beganMs;
  const rows: (readonly string[])[] = [];
  const since = () => {
    const seconds = Math.round((nowMs() - beganMs) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  return {
    async note(what: string): Promise<void> {
      const at = since();
      const { kept, calls } = await look();
      const tillMs = nowMs();
      const most = mostInASecond(await sends(), beforeMs, tillMs);
      beforeMs = tillMs;
      rows.push([at, what, String(calls), String(kept), String(most)]);
      console.log(`${at} ${what}: ${calls} calls, ${kept} kept, at most ${most} in a second since`);
    },
    /** Table for a page of the documentation. */
    table(): string {
      const all = [["time", "what", "calls", "kept", "in a second at most, since the line above"], ...rows];
      const width = (column: number) => Math.max(...all.map((row) => row[column]?.length ?? 0));
      const line = (row: readonly string[]) =>
        `| ${row.map((cell, column) => cell.padEnd(width(column))).join(" | ")} |`;
      const [head = [], ...rest] = all;
      const rule = `| ${head.map((_, column) => "-".repeat(width(column))).join(" | ")} |`;
      return [line(head), rule, ...rest.map(line)].join("\n");
    },
  };
}
