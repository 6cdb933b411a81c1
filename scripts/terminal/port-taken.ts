// Servers that are started on a port that the operator named.

class PortTaken extends Error {
  override readonly name = "PortTaken";

  constructor(port: number) {
    super(`something listens on port ${port} already: \`--port 0\` takes a free one`);
  }
}

/** What was started there; told plainly where another program has the port. */
export async function onPort<Server>(port: number, start: () => Promise<Server>): Promise<Server> {
  try {
    return await start();
  } catch (error) {
    throw codeOf(error) === "EADDRINUSE" ? new PortTaken(port) : error;
  }
}

/** The system's code, of the error or of its cause. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? error.code : codeOf(error.cause);
}
