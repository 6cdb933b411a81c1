// Debian's WordPress, installed for one test file: a separate database on a socket, PHP's own web server, and a clock that a test
// can move forward.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePorts } from "../../worker/temporal/ports.ts";
import type { AtEnd } from "../support/ends.ts";
import { isExecutable, onPath } from "../support/on-path.ts";

const run = promisify(execFile);
const debian = "/usr/share/wordpress";
export const pluginFolder = fileURLToPath(new URL("../../packages/wordpress/almanac", import.meta.url));
export const user = { name: "editor", password: "a password for an hour" };

export interface WordPress {
  readonly url: string;
  /** WordPress's folder. */
  readonly root: string;
  /** Runs PHP within WordPress, on the real clock; returns its output. */
  readonly php: (code: string) => Promise<string>;
  /** The plugin as on the first day: everything of an earlier one is gone. */
  readonly freshPlugin: (settings: object) => Promise<void>;
  /** Takes another language for all pages, such as `ar`; the empty one is English. */
  readonly speak: (locale: string) => Promise<string>;
  /** Puts WordPress's clock forward by so many minutes. */
  readonly later: (minutes: number) => void;
  /** PHP's complaints about the plugin. */
  readonly complaints: () => string[];
}

export async function startWordPress(atEnd: AtEnd): Promise<WordPress> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-wordpress-"));
  const root = join(folder, "wordpress");
  const stops: (() => Promise<void>)[] = [];
  atEnd(async () => {
    for (const stop of stops.toReversed()) await stop();
    await rm(folder, { recursive: true });
  });
  requireDebian();
  const socket = await startDatabase(folder, stops);
  cpSync(debian, root, { recursive: true, dereference: true });
  const [port = 0] = await freePorts([undefined]);
  const url = `http://127.0.0.1:${port}`;
  const log = join(folder, "php.log");
  writeFileSync(join(root, "wp-config.php"), configuration(socket, url, log));
  const php = async (code: string): Promise<string> => {
    const whole = `$_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; ${code}`;
    return (await run("php", ["-d", "memory_limit=256M", "-r", whole], { cwd: root })).stdout;
  };
  const within = (code: string): Promise<string> =>
    php(`require 'wp-load.php'; require_once 'wp-admin/includes/plugin.php'; ${code}`);
  await php(
    `define('WP_INSTALLING', true); require 'wp-load.php'; require 'wp-admin/includes/upgrade.php';
     function wp_new_blog_notification() {}
     wp_install('Tests', '${user.name}', 'editor@example.com', false, '', '${user.password}');`,
  );
  const clock = join(folder, "clock");
  writeFileSync(clock, "+0");
  await startServer({ root, port, url, clock }, stops);
  return {
    url,
    root,
    php: within,
    async freshPlugin(settings) {
      const place = join(root, "wp-content/plugins/almanac");
      if (existsSync(place))
        await within("deactivate_plugins('almanac/almanac.php'); uninstall_plugin('almanac/almanac.php');");
      rmSync(place, { recursive: true, force: true });
      cpSync(pluginFolder, place, { recursive: true });
      const chosen = `json_decode(base64_decode('${btoa(JSON.stringify(settings))}'), true)`;
      await within(
        `delete_transient('doing_cron'); activate_plugin('almanac/almanac.php'); update_option('almanac_settings', ${chosen});`,
      );
      writeFileSync(clock, "+0");
    },
    speak: (locale) =>
      within(
        `wp_mkdir_p(WP_LANG_DIR); require_once ABSPATH . WPINC . '/pomo/mo.php';
         $words = new MO(); $direction = '${locale}' === 'ar' ? 'rtl' : 'ltr';
         $words->add_entry(new Translation_Entry(['singular' => 'ltr', 'context' => 'text direction', 'translations' => [$direction]]));
         if ('${locale}' !== '') $words->export_to_file(WP_LANG_DIR . '/${locale}.mo');
         update_option('WPLANG', '${locale}');`,
      ),
    later: (minutes) => writeFileSync(clock, `+${minutes * 60}`),
    complaints: () => {
      const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
      return lines.filter((line) => line.includes("plugins/almanac"));
    },
  };
}

function requireDebian(): void {
  const programs = ["php", "mariadb-install-db", "faketime", "phpcs"].filter(
    (name) => onPath(name) === undefined,
  );
  const files = [`${debian}/wp-load.php`, `${debian}/wp-content/themes/twentytwentythree`];
  const missing = [...programs, ...files.filter((path) => !existsSync(path))];
  if (missing.length === 0) return;
  throw new Error(
    `${missing.join(", ")} is not there: \`apt-get install --no-install-recommends wordpress wordpress-theme-twentytwentythree ` +
      "php php-cgi php-cli php-curl php-mysql mariadb-server-core faketime php-codesniffer`",
  );
}

async function startDatabase(folder: string, stops: (() => Promise<void>)[]): Promise<string> {
  const data = join(folder, "database");
  const socket = join(folder, "socket");
  await mkdir(data);
  const own = process.getuid?.() === 0 ? ["--user=root"] : [];
  const words = ["--no-defaults", `--datadir=${data}`, ...own];
  const quick = ["--innodb-log-file-size=4M", "--innodb-flush-log-at-trx-commit=0", "--skip-log-bin"];
  await run("mariadb-install-db", [
    ...words,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    ...quick,
  ]);
  const program = onPath("mariadbd") ?? ["/usr/sbin/mariadbd"].find(isExecutable) ?? "mariadbd";
  const server = spawn(program, [...words, ...quick, `--socket=${socket}`, "--skip-networking"], {
    stdio: "ignore",
  });
  const gone = once(server, "exit");
  stops.push(async () => {
    server.kill("SIGKILL"); // nothing in it is kept
    await gone;
  });
  const made = `mysqli_report(MYSQLI_REPORT_OFF); $db = mysqli_init(); exit(@$db->real_connect('localhost', 'root', '', '', 0, '${socket}')
    && $db->query('CREATE DATABASE IF NOT EXISTS wordpress CHARACTER SET utf8mb4') ? 0 : 1);`;
  const isUp = (): Promise<boolean> =>
    run("php", ["-r", made]).then(
      () => true,
      () => false,
    );
  await until(isUp, "MariaDB does not answer");
  return socket;
}

async function startServer(
  { root, port, url, clock }: Readonly<Record<"root" | "url" | "clock", string>> & { readonly port: number },
  stops: (() => Promise<void>)[],
): Promise<void> {
  // Each of its processes asks for the time as the file says; `env -u` because faketime's own word would go before the file.
  const words = ["-f", "+0", "env", "-u", "FAKETIME", "php", "-S", `127.0.0.1:${port}`, "-t", root];
  const env = {
    ...process.env,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
  const server = spawn("faketime", words, {
    detached: true,
    stdio: "ignore",
    env: { ...env, PHP_CLI_SERVER_WORKERS: "8" },
  });
  const gone = once(server, "exit");
  stops.push(async () => {
    if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL"); // its workers too
    await gone;
  });
  const isUp = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isUp, "WordPress does not answer");
}

export async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(otherwise);
    await pause(100);
  }
}

function configuration(socket: string, url: string, log: string): string {
  const constants = {
    DB_NAME: "wordpress",
    DB_USER: "root",
    DB_PASSWORD: "",
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: "utf8mb4",
    WP_HOME: url,
    WP_SITEURL: url,
    FS_METHOD: "direct",
    AUTOMATIC_UPDATER_DISABLED: true,
    WP_HTTP_BLOCK_EXTERNAL: true, // all but this machine: it would ask wordpress.org for updates
    WP_DEBUG: true,
    WP_DEBUG_DISPLAY: false,
    WP_DEBUG_LOG: log,
    ...Object.fromEntries(
      ["AUTH", "SECURE_AUTH", "LOGGED_IN", "NONCE"].flatMap((name) => [
        [`${name}_KEY`, name],
        [`${name}_SALT`, `${name} salt`],
      ]),
    ),
  };
  const lines = Object.entries(constants).map(
    ([name, value]) => `define('${name}', ${JSON.stringify(value).replaceAll('"', "'")});`,
  );
  const last =
    "$table_prefix = 'wp_'; if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/'); require_once ABSPATH . 'wp-settings.php';";
  return `<?php\n${lines.join("\n")}\n${last}\n`;
}
