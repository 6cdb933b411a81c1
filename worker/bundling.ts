// Child process that bundles the workflows and prints the bundle. worker/bundle.ts starts it, because bundling takes 120 MB, which a
// worker would otherwise keep for its lifetime.
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkflowCode } from "@temporalio/worker";

const [workflowsPath = "", ...workflowInterceptorModules] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const quiet = () => undefined;
/** Source names relative to the code's root, so that the bundle does not depend on its location. */
const nameOf = ({ absoluteResourcePath: path }: { absoluteResourcePath: string }) =>
  isAbsolute(path) ? relative(root, path) : path;
const { code } = await bundleWorkflowCode({
  workflowsPath,
  workflowInterceptorModules,
  logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  // The source map is enough for file names and lines in stack traces; the sources would take another 11 MB per worker.
  webpackConfigHook: (settings) => ({
    ...settings,
    context: root, // else module names would be relative to the working directory
    devtool: "inline-nosources-source-map",
    output: { ...settings.output, devtoolModuleFilenameTemplate: nameOf },
  }),
});
process.stdout.write(code);
