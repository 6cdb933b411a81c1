// Helper for almanac.config.ts. It is optional: it gives an editor types for completion.
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";

export type { ConfigurationInput };

/** For almanac.config.ts: `export default defineConfig({ ... })`. */
export function defineConfig(configuration: ConfigurationInput): ConfigurationInput {
  return configuration;
}
