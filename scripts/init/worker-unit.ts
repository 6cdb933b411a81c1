// The unit of deploy/systemd, with what is otherwise where Almanac is a package and its project lies in /opt/almanac.
import packageJson from "../../package.json" with { type: "json" };
import { changedUnit, type UnitChange } from "../service/deployed-units.ts";

const command = `/usr/bin/node /opt/almanac/node_modules/${packageJson.name}/scripts/almanac.js`;

const inPackage: readonly UnitChange[] = [
  [
    `# A worker on a machine of its own: the checkout under /opt/almanac (npm ci --omit=dev), Node 24 as /usr/bin/node.
# docs/deployment.md says what goes into /etc/almanac.
`,
    `# The worker on a server: this project in /opt/almanac, Node as /usr/bin/node. README.md says what goes into /etc/almanac.
`,
  ],
  ["Documentation=file:///opt/almanac/docs/deployment.md\n", "Documentation=file:///opt/almanac/README.md\n"],
  [
    "ExecStart=/usr/bin/node /opt/almanac/scripts/almanac.js worker\n",
    `ExecStart=${command} worker
# The schedules as they are configured; a pause of them is kept.
ExecStartPost=${command} schedule apply --unless-removed
`,
  ],
  ["ALMANAC_CONFIG=/etc/almanac/almanac.config.ts", "ALMANAC_CONFIG=/opt/almanac/almanac.config.ts"],
];

/** A web server reads the folder, so that its owner can't be a user that comes and goes. */
const withFolder: readonly UnitChange[] = [
  ["DynamicUser=yes\n", "User=almanac\nReadWritePaths=/srv/almanac/site\n"],
  ["UMask=0027\n", "UMask=0022\n"],
];

export function workerUnit(kind: "folder" | "bucket"): string {
  return changedUnit("worker", kind === "folder" ? [...inPackage, ...withFolder] : inPackage);
}
