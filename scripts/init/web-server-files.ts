// What nginx and Caddy need before a site in a folder, word for word as in deploy/ of the checkout: docs/live-web-server.md is followed
// in a project with the same commands, and the owner's lines are changed where a web server keeps its copy.
import { readFileSync } from "node:fs";

const deployed = {
  "deploy/nginx/almanac.conf": new URL("../../deploy/nginx/almanac.conf", import.meta.url),
  "deploy/caddy/Caddyfile": new URL("../../deploy/caddy/Caddyfile", import.meta.url),
};

export function webServerFiles(): { readonly path: string; readonly text: string }[] {
  return Object.entries(deployed).map(([path, url]) => ({ path, text: readFileSync(url, "utf8") }));
}
