// `almanac reading`: one call, checked as a night's is, printed for a person or as JSON; nothing is stored.
import type { Define } from "../terminal/command.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { print, printJson } from "../terminal/output.ts";
import { withOptions } from "./flags.ts";
import { listAsJson, operationLines } from "./list.ts";
import { typedLanguage, typedOperation } from "./request.ts";

export const define: Define = (command) => {
  withOptions(command).action(async (operation, { list, json = false, ...options }) => {
    if (list) return json ? printJson(listAsJson()) : print(operationLines());
    if (operation === undefined) {
      throw new WrongUsage("name an operation", undefined, {
        allowed: "`almanac reading --list` shows all",
      });
    }
    // Zod and undici take half a second to load: too long for a slip of the fingers.
    const name = typedOperation(operation);
    const language = typedLanguage(options.language ?? "en", name);
    const { read } = await import("./call.ts");
    await read(name, language, options, json);
  });
};
