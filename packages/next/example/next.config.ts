import type { NextConfig } from "next";

const config: NextConfig = {
  output: "export",
  trailingSlash: true,
  generateBuildId: () => "1", // of our own: else every page is another file after every build
};
export default config;
