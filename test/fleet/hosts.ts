// Hosts of one network on this machine: each is a network namespace with a cable of its own to a bridge, on which this machine is the
// host that all others reach. A cable can be cut and mended while they run.
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { AtEnd } from "../support/ends.ts";
import { onPath } from "../support/on-path.ts";

export type Host = Awaited<ReturnType<Network["host"]>>;
type Network = Awaited<ReturnType<typeof createNetwork>>;

const remedy =
  "hosts of a network are made as root, with Debian's iproute2: `sudo -E npm run test:fleet`, where network namespaces are allowed";

const run = promisify(execFile);

async function ip(...words: readonly string[]): Promise<void> {
  try {
    await run("ip", words);
  } catch (cause) {
    throw new Error(`ip ${words.join(" ")} failed: ${String(cause)}\n${remedy}`, { cause });
  }
}

export async function createNetwork(atEnd: AtEnd) {
  if (process.getuid?.() !== 0 || onPath("ip") === undefined) throw new Error(remedy);
  // Of the addresses that are kept for measurements (RFC 2544): no network that this machine is in has them.
  const prefix = `198.18.${process.pid % 256}`;
  const bridge = `alm${process.pid}`;
  const address = `${prefix}.1`;
  await ip("link", "add", bridge, "type", "bridge");
  const names: string[] = [];
  const remove = () => {
    for (const name of names) spawnSync("ip", ["netns", "delete", name]);
    spawnSync("ip", ["link", "delete", bridge]);
  };
  process.once("exit", remove); // also when the tests themselves are cut short
  atEnd(async () => {
    process.off("exit", remove);
    remove();
  });
  await ip("address", "add", `${address}/24`, "dev", bridge);
  await ip("link", "set", bridge, "up");

  return {
    /** Of this machine, as the others reach it. */
    address,
    /** Another host, which is gone with the test. */
    async host() {
      const number = names.length + 2;
      const name = `${bridge}-${number}`;
      const [cable, plug] = [`${bridge}c${number}`, `${bridge}p${number}`];
      await ip("netns", "add", name);
      names.push(name);
      await ip("link", "add", cable, "type", "veth", "peer", "name", plug, "netns", name);
      await ip("link", "set", cable, "master", bridge, "up");
      await ip("-n", name, "address", "add", `${prefix}.${number}/24`, "dev", plug);
      await ip("-n", name, "link", "set", plug, "up");
      await ip("-n", name, "link", "set", "lo", "up");
      return {
        address: `${prefix}.${number}`,
        /** Before the words of a program that is to run there; the process keeps its id. */
        within: ["ip", "netns", "exec", name] as const,
        cut: () => ip("link", "set", cable, "down"),
        mend: () => ip("link", "set", cable, "up"),
      };
    },
  };
}
