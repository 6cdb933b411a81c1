// A fault that replaces every picture's URL in a response with a URL outside the service.
import type { Data, JsonValue } from "./received-request.ts";

/** Another host, one without TLS, this machine, a network's inside, a name within the right one, and a name before it. */
export const foreignPictures = [
  "https://elsewhere.example/pixel.png",
  "http://cards.example/pixel.png",
  "http://127.0.0.1:8233/pixel.png",
  "https://localhost/pixel.png",
  "https://169.254.169.254/latest/meta-data/",
  "https://10.0.0.1/pixel.png",
  "https://[::1]/pixel.png",
  "https://cards.example.elsewhere.example/pixel.png",
  "https://cards.example@elsewhere.example/pixel.png",
  "https://cards.example:8443/pixel.png",
] as const;

/** The data with these URLs, in order, in place of its pictures' own. */
export function withForeignPictures(data: Data): Data {
  let next = 0;
  const change = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(change);
    if (value === null || typeof value !== "object") return value;
    const changed = Object.entries(value).map(([name, inner]) => {
      if (!/image\d?$/.test(name)) return [name, change(inner)];
      next += 1;
      return [name, foreignPictures[(next - 1) % foreignPictures.length]];
    });
    return Object.fromEntries(changed);
  };
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(value)]));
}
