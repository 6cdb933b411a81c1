// A machine booted by systemd in namespaces of this one: systemd is its first process, with separate users, units and data, and
// with this machine's programs and network. It can lose its power, and boots again from the remaining data.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { until } from "../support/night.ts";

/** Targets that a service's units wait for; no unit of this machine is started. */
const targets = ["sysinit", "basic", "multi-user", "shutdown", "network-online", "time-sync"];

const ran = z.object({ code: z.number().default(1), stdout: z.string(), stderr: z.string() });

/** `mounts` are folders of this machine, by the paths that they have there. */
export async function bootedMachine(mounts: Readonly<Record<string, string>>) {
  if (process.getuid?.() !== 0 || !existsSync("/lib/systemd/systemd"))
    throw new Error(
      "systemd has to be there (`apt-get install systemd`), and this test be run by root: it boots one",
    );
  const folder = await mkdtemp(join(tmpdir(), "almanac-booted-"));
  const own = (path: string) => join(folder, path);
  for (const path of ["opt", "srv", "var-lib", "usr-local-lib", "units"]) await mkdir(own(path));
  for (const path of Object.keys(mounts)) await mkdir(own(path), { recursive: true });
  await cp("/etc", own("etc"), { recursive: true, verbatimSymlinks: true });
  await rm(own("etc/systemd/system"), { recursive: true, force: true });
  await mkdir(own("etc/systemd/system/service.d"), { recursive: true });
  // Replaces the journal, which is a service.
  const logging = "[Service]\nStandardOutput=append:/etc/log\nStandardError=append:/etc/log\n";
  await writeFile(own("etc/systemd/system/service.d/log.conf"), logging);
  await writeFile(own("console"), "");
  for (const name of targets)
    await writeFile(own(`units/${name}.target`), "[Unit]\nDefaultDependencies=no\n");
  const group = join(unifiedGroups(), `almanac-booted-${process.pid}`);
  await writeFile(own("boot"), bootScript(folder, group, mounts));

  let inside: { readonly pid: number; readonly off: () => Promise<void> } | undefined;
  async function run(...words: string[]) {
    if (inside === undefined) throw new Error("the machine is off");
    const entering = ["-t", String(inside.pid), "-m", "-p", "-C", "--", ...words];
    return ran.parse(
      await promisify(execFile)("nsenter", entering, { cwd: "/" }).then(
        (said) => ({ code: 0, ...said }),
        (error: unknown) => error,
      ),
    );
  }
  async function off(): Promise<void> {
    await inside?.off();
    inside = undefined;
  }
  onTestFinished(async () => {
    await off();
    await removeGroups(group);
    await rm(folder, { recursive: true, force: true });
  });

  return {
    own,
    run,
    /** Output of systemd and its services. */
    log: async () =>
      (
        await Promise.all(["console", "etc/log"].map((path) => readFile(own(path), "utf8").catch(() => "")))
      ).join(""),
    /** Kills everything at once, like a power failure. */
    off,
    async on(): Promise<void> {
      const child = spawn("bash", [own("boot")], { stdio: ["ignore", "ignore", "inherit"] });
      const ended = once(child, "exit");
      const pid = await until("the first process", async () => firstChild(child.pid));
      inside = {
        pid,
        off: async () => {
          process.kill(pid, "SIGKILL");
          await ended;
        },
      };
      // Not `running` if a unit has failed, which the test decides.
      await until("systemd", async () =>
        /running|degraded/.test((await run("systemctl", "is-system-running")).stdout),
      );
    },
  };
}

function unifiedGroups(): string {
  const line = readFileSync("/proc/mounts", "utf8").match(/^\S+ (\S+) cgroup2 /m);
  if (line?.[1] === undefined)
    throw new Error("control groups have to be mounted: `mount -t cgroup2 none /sys/fs/cgroup`");
  return line[1];
}

function bootScript(folder: string, group: string, mounts: Readonly<Record<string, string>>): string {
  const binds = {
    "/etc": "etc",
    "/opt": "opt",
    "/srv": "srv",
    "/var/lib": "var-lib",
    "/usr/local/lib": "usr-local-lib",
  };
  const bound = [
    ...Object.entries(binds).map(([to, from]) => `mount --bind ${folder}/${from} ${to}`),
    ...Object.entries(mounts).map(([to, from]) => `mount --bind ${from} /${to}`),
  ];
  // Mounts the kernel settings read-only, because the machine shares them with its host.
  const within = `set -e
mount --make-rprivate /
mount --bind /proc/sys /proc/sys
mount -o remount,ro,bind /proc/sys
umount -R /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs none /run
mount --bind ${folder}/console /dev/console
${bound.join("\n")}
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_UNIT_PATH=${folder}/units:/etc/systemd/system \\
  /lib/systemd/systemd --system --log-target=console --show-status=no --unit=multi-user.target`;
  return `set -e
mkdir -p ${group}
echo $$ > ${group}/cgroup.procs
exec unshare --mount --pid --fork --cgroup --ipc --uts --kill-child --mount-proc bash -c '${within}'
`;
}

async function firstChild(pid: number | undefined): Promise<number | undefined> {
  const path = `/proc/${pid}/task/${pid}/children`;
  const found = existsSync(path) ? Number.parseInt(readFileSync(path, "utf8"), 10) : Number.NaN;
  const isSystemd =
    Number.isInteger(found) && readFileSync(`/proc/${found}/cmdline`, "utf8").includes("/systemd\0");
  return isSystemd ? found : undefined;
}

async function removeGroups(group: string): Promise<void> {
  if (!existsSync(group)) return;
  for (const entry of await readdir(group, { withFileTypes: true }))
    if (entry.isDirectory()) await removeGroups(join(group, entry.name));
  await until("an empty control group", async () =>
    rmdir(group).then(
      () => true,
      () => false,
    ),
  );
}
