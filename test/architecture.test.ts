// The walk in docs/architecture.md is a way through the code as it is: each file leads to the next, and says so.
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const cwd = fileURLToPath(new URL("../", import.meta.url));
const textOf = (path: string): string => readFileSync(posix.join(cwd, path), "utf8");
const page = textOf("docs/architecture.md");
const walk = page.slice(
  page.indexOf("## Follow one reading through the code"),
  page.indexOf("The request key connects"),
);
const rows = [...walk.matchAll(/^\| \d+ +\| (.*?) \|/gm)].map(([, open = ""]) => filesIn(open));

function filesIn(text: string): string[] {
  return Array.from(text.matchAll(/`([\w/-]+\.ts)`/g), ([, path = ""]) => path);
}

/** Types too. */
function importsOf(path: string): string[] {
  const found = textOf(path).matchAll(/\b(?:from|import\()\s*"(\.[^"]+)"/g);
  return Array.from(found, ([, to = ""]) => posix.join(posix.dirname(path), to));
}

/** Temporal connects a workflow to its activities, so the walk goes through the activities' types. */
function calledFrom(workflow: string): Set<string> {
  const found = new Set([workflow]);
  for (const path of found) {
    if (path !== workflow && !/^(?:workflows\/activities|activities\/|insight\/)/.test(path)) continue;
    for (const next of importsOf(path)) found.add(next);
  }
  return found;
}

function leadsTo(one: string, other: string): boolean {
  if (importsOf(one).includes(other)) return true;
  return one.startsWith("workflows/") && calledFrom(one).has(other);
}

const steps = rows.slice(1).map((to, index) => ({ from: rows[index] ?? [], to }));

test("the walk names at most twelve files, each of which is there", () => {
  const named = filesIn(walk);
  expect(new Set(named)).toEqual(new Set(rows.flat()));
  expect(named.length).toBeLessThanOrEqual(12);
  expect(named.filter((path) => globSync(path, { cwd }).length === 0)).toEqual([]);
  expect(rows.length).toBeGreaterThan(8);
});

test.for(steps)("the walk leads from $from to $to: one of them calls the other", ({ from, to }) => {
  const pairs = from.flatMap((one) => to.map((other) => [one, other] as const));
  expect(pairs.some(([one, other]) => leadsTo(one, other) || leadsTo(other, one))).toBe(true);
});

const files = rows.flat();
test.for(files.slice(1).map((to, index) => [files[index] ?? "", to] as const))(
  "%s opens by saying that %s has the reading next, which says where it comes from",
  ([from, to]) => {
    const headOf = (path: string): string | undefined => /^(?:\/\/.*\n)+/.exec(textOf(path))?.[0];
    expect(headOf(from)).toContain(to);
    expect(headOf(to)).toContain(from);
  },
);

test("the page on the architecture names every folder, and no other", () => {
  const rooms = globSync("*/", { cwd }).filter(
    (room) => globSync(`${room}/**/*.{ts,d.ts}`, { cwd }).length > 0,
  );
  const others = new Set(["bench", "deploy", "dist", "docs", "examples", "node_modules", "test"]);
  const named = Array.from(page.matchAll(/^\| `([a-z]+)\/` +\|/gm), ([, room]) => room);
  expect(new Set(named)).toEqual(new Set(rooms).difference(others));
});

test.for(["CONTRIBUTING.md", "docs/architecture.md"])("every file that %s names is there", (name) => {
  const named = Array.from(
    textOf(name).matchAll(/`([a-z]+\/[\w./-]+\.(?:ts|json|md))`/g),
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => globSync(path, { cwd }).length === 0)).toEqual([]);
});

test("every file in the list of a night's files is there", () => {
  const [, list = ""] = /<!-- walk -->\n(.*?)<!-- \/walk -->/s.exec(page) ?? [];
  const named = list.split("\n").flatMap((line) => {
    const [folder = "", ...names] = Array.from(line.matchAll(/`([\w./-]+)`/g), ([, name = ""]) => name);
    return names.map((name) => folder + name);
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => globSync(path, { cwd }).length === 0)).toEqual([]);
});

/** Files that read the machine's time for another purpose than a date; each with its reason. */
const machineTime = new Map([
  ["packages/sandbox/settings.ts", "the service's own clock, which tests move by its control endpoint"],
  ["scripts/status/found-run.ts", "seconds since Temporal saw something, and deadlines"],
  ["scripts/terminal/output.ts", "the start of a wait"],
  ["store/clock.ts", "the measure of durations"],
  ["store/folder.ts", "the age of a file"],
  ["store/folder-steps.ts", "the time of a file"],
  ["store/s3-put.ts", "the time of a signature"],
  ["store/trial.ts", "the time of a file"],
  ["worker/notifiers/notifier.ts", "a pause until a server's time"],
  ["worker/monitor/monitor.ts", "a deadline"],
  ["worker/worker-process.ts", "a deadline"],
  ["worker/settings/environment.ts", "the one clock for dates"],
  ["worker/settings/credentials.ts", "the age of a file"],
  ["worker/worker.ts", "a deadline"],
  ["worker/temporal/pollers.ts", "seconds since Temporal saw a worker"],
  ["worker/temporal/patience.ts", "a deadline"],
  ["worker/temporal/temporal-executable.ts", "the age of a folder"],
  ["worker/temporal/temporal-server.ts", "a deadline"],
  ["worker/traces/telemetry.ts", "the start of a span"],
]);

test("date decisions read worker/settings/environment.ts, which tests can change", () => {
  const rooms =
    "{activities,insight,packages/sandbox,publish,readings,scripts,service,site,store,vault,worker}";
  const reading = globSync(`${rooms}/**/*.{ts,js}`, { cwd }).filter((path) =>
    /\bnew Date\(\)|\bDate\.now\(/.test(textOf(path)),
  );
  const why =
    "use now() of worker/settings/environment.ts, or list the file in test/architecture.test.ts with a reason";
  expect(new Set(reading), why).toEqual(new Set(machineTime.keys()));
});

/** The first cycle of imports, by types and by `import()` too. */
function cycleAmong(paths: readonly string[]): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of importsOf(path).filter((one) => one.endsWith(".ts") && paths.includes(one))) {
      const found = visit(next, [...way, path]);
      if (found !== undefined) return found;
    }
    done.add(path);
    return undefined;
  };
  for (const path of paths) {
    const found = visit(path, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

test("no file of the product imports itself through others, not even by import()", () => {
  const folders =
    "activities,client,insight,publish,readings,sandbox,scripts,service,site,store,vault,worker,workflows";
  const paths = globSync(`{${folders}}/**/*.ts`, { cwd });
  expect(paths.length).toBeGreaterThan(300);
  expect(cycleAmong(paths)).toBeUndefined();
});
