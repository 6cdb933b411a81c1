// The place that defineConfig had until 0.2.0: configurations in checkouts of before name it.
export { defineConfig } from "./settings/define.ts";
