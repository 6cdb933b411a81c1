// A process of its own that bundles the workflows and prints the piece of code: worker/bundle.ts starts it, because what
// bundles takes 120 MB, which a worker would hold for as long as it lives.
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkflowCode } from "@temporalio/worker";

const [workflowsPath = "", ...workflowInterceptorModules] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const quiet = () => undefined;
/** By its place within the code: the same piece comes out wherever that lies. */
const nameOf = ({ absoluteResourcePath: path }: { absoluteResourcePath: string }) =>
  isAbsolute(path) ? relative(root, path) : path;
const { code } = await bundleWorkflowCode({
  workflowsPath,
  workflowInterceptorModules,
  logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  // A stack trace names files and lines of ours; the files' texts besides would take 11 MB of a worker.
  webpackConfigHook: (settings) => ({
    ...settings,
    devtool: "inline-nosources-source-map",
    output: { ...settings.output, devtoolModuleFilenameTemplate: nameOf },
  }),
});
process.stdout.write(code);
