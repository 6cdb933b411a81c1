// Former path of defineConfig, until 0.2.0. Configurations in older checkouts import it.
export { defineConfig } from "./settings/define.ts";
