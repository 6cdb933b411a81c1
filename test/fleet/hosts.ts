// Hosts of one network on this machine: each is a network namespace with a virtual cable to a bridge, where this machine is the
// host that all others reach. A cable can be cut and restored while they run.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import type { AtEnd } from "../support/ends.ts";
import { onPath } from "../support/on-path.ts";

export type Host = Awaited<ReturnType<Network["host"]>>;
type Network = Awaited<ReturnType<typeof createNetwork>>;

const remedy =
  "hosts of a network are made as root, with Debian's iproute2: `sudo -E npm run test:fleet`, where network namespaces are allowed";

const run = promisify(execFile);

const removal = `
read -r line
for name in $(ip netns list | cut -d " " -f 1); do case $name in "$1"-*) ip netns delete "$name";; esac; done
ip link delete "$1"`;

async function ip(...words: readonly string[]): Promise<void> {
  try {
    await run("ip", words);
  } catch (cause) {
    throw new Error(`ip ${words.join(" ")} failed: ${String(cause)}\n${remedy}`, { cause });
  }
}

export async function createNetwork(atEnd: AtEnd) {
  if (process.getuid?.() !== 0 || onPath("ip") === undefined) throw new Error(remedy);
  // Block reserved for benchmarks (RFC 2544), which no network of this machine uses.
  const prefix = `198.18.${process.pid % 256}`;
  const bridge = `alm${process.pid}`;
  const address = `${prefix}.1`;
  await ip("link", "add", bridge, "type", "bridge");
  let hosts = 0;
  // Waits on its standard input, which only this process keeps open: it closes at the end and also when the tests are killed.
  const keeper = spawn("sh", ["-c", removal, "keeper", bridge], { stdio: ["pipe", 2, 2], detached: true });
  const removed = once(keeper, "exit");
  atEnd(async () => {
    keeper.stdin?.end();
    await removed;
  });
  await ip("address", "add", `${address}/24`, "dev", bridge);
  await ip("link", "set", bridge, "up");

  return {
    /** Address of this machine for the other hosts. */
    address,
    /** Another host, which is gone with the test. */
    async host() {
      const number = hosts + 2;
      hosts += 1;
      const name = `${bridge}-${number}`;
      const [cable, plug] = [`${bridge}c${number}`, `${bridge}p${number}`];
      await ip("netns", "add", name);
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
        reconnect: () => ip("link", "set", cable, "up"),
      };
    },
  };
}
