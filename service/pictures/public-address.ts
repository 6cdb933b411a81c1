// Recognizes public IP addresses (SSRF protection). A name that somebody else controls may resolve to a machine on our network, or
// to ours. So addresses for private, local or special use are refused, in every form in which IPv6 can embed an IPv4 address.
import { BlockList, isIP } from "node:net";

/** IANA's special-purpose addresses, multicast and the reserved ones. */
const special: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** The special ones within 2000::/3, which holds all public addresses; mapped and translated IPv4 addresses lie outside. */
const special6: readonly (readonly [network: string, bits: number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const inner = new BlockList();
for (const [network, bits] of special) inner.addSubnet(network, bits, "ipv4");
for (const [network, bits] of special6) inner.addSubnet(network, bits, "ipv6");
const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !inner.check(address, "ipv4");
  return isIP(address) === 6 && unicast.check(address, "ipv6") && !inner.check(address, "ipv6");
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? "ipv4" : "ipv6");
}
