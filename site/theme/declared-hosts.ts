// Whether a theme declares a host: by its name, or with all below another name.

export function isDeclared(host: string, declared: readonly string[]): boolean {
  return declared.some((one) => (one.startsWith("*.") ? host.endsWith(one.slice(1)) : one === host));
}
