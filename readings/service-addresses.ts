// The names of the reading service's three addresses. A language and an operation say which of them is asked; each has its own
// rate, its own queue and its own gate for refused credentials.

export const serviceAddresses = ["english", "translator", "legacy"] as const;
export type ServiceAddress = (typeof serviceAddresses)[number];
