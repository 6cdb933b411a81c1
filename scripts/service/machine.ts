// What the units need beside themselves: Temporal's program, and files and folders that belong to the service's user.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { defaultCacheFolder, findTemporal } from "../../worker/temporal/temporal-executable.ts";
import { NotSetUp } from "../terminal/errors.ts";
import { say } from "../terminal/output.ts";
import { folders } from "./plan.ts";
import { serviceUser } from "./places.ts";
import { executableOf, serviceSettings, type ServicePlan } from "./units.ts";

/** Where every user can run it; true where it was not there. The one of PATH may be any version. */
export async function placeTemporal({ places, temporal }: ServicePlan): Promise<boolean> {
  if (temporal === undefined) return false;
  const target = executableOf(places, temporal.version);
  if (existsSync(target)) return false;
  const { cacheHome, temporalCliPath: cliPath } = readEnvironment();
  const cacheFolder = defaultCacheFolder({ xdgCacheHome: cacheHome, home: homedir() });
  const { path, version } = await findTemporal({ cliPath, path: "", cacheFolder, onProgress: say });
  if (version !== temporal.version) {
    throw new NotSetUp(
      `TEMPORAL_CLI_PATH names Temporal ${version}, and this version of Almanac goes with ${temporal.version}: name that one, or unset it`,
    );
  }
  mkdirSync(places.programs, { recursive: true });
  copyFileSync(path, `${target}.tmp`);
  chmodSync(`${target}.tmp`, 0o755);
  renameSync(`${target}.tmp`, target);
  return true;
}

/** Those of earlier versions, once the units name another; without a plan all. */
export function removePrograms({ places, temporal }: Pick<ServicePlan, "places" | "temporal">): void {
  if (!existsSync(places.programs)) return;
  const kept = temporal === undefined ? "" : executableOf(places, temporal.version);
  for (const name of readdirSync(places.programs)) {
    const path = join(places.programs, name);
    if (name.startsWith("temporal-") && path !== kept) rmSync(path);
  }
}

interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined where there is none. */
export function serviceIds(): UserIds | undefined {
  try {
    const [uid, gid] = ["-u", "-g"].map((which) =>
      Number(execFileSync("id", [which, serviceUser], { encoding: "utf8", stdio: "pipe" })),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

/**
 * Settings and credentials are read by this user and no other; the folders of vault and site are its own. What settings name outside
 * of the root stays as it is.
 */
export function handOver(plan: ServicePlan, ids: UserIds | undefined): void {
  const { places, settings, outside, backupFolder } = plan;
  const own = [places.state, ...outside, ...(backupFolder === undefined ? [] : [backupFolder])].filter(
    places.has,
  );
  for (const path of own) {
    // A web server reads the site.
    mkdirSync(path, { recursive: true, mode: path === folders(settings).ALMANAC_SITE ? 0o755 : 0o700 });
  }
  const all: Readonly<Record<string, string>> = { ...serviceSettings(plan), ...settings };
  const names = ["READING_SERVICE_TOKEN_FILE", "READING_SERVICE_API_KEY_FILE"];
  const secrets = [places.environment, ...names.flatMap((name) => all[name] ?? [])].filter(places.has);
  for (const path of secrets) chmodSync(path, 0o400);
  if (ids === undefined) return;
  for (const path of [...secrets, ...own]) chownSync(path, ids.uid, ids.gid);
}
