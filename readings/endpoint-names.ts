// Names of the reading service's three endpoints. The operation and the language of a request select its endpoint. Each has its own
// rate limiter, queue and circuit breaker.

export const endpointNames = ["english", "translator", "legacy"] as const;
export type EndpointName = (typeof endpointNames)[number];
