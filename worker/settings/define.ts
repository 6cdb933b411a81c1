// What an owner's almanac.config.ts imports. It works without it as well; with it an editor knows every setting.
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";

export type { ConfigurationInput };

/** For almanac.config.ts: `export default defineConfig({ ... })`. */
export function defineConfig(configuration: ConfigurationInput): ConfigurationInput {
  return configuration;
}
