/** A server for tests, or the reason why there is none. */
export interface ProvidedServer {
  /** Undefined if there is no server. */
  readonly url: string | undefined;
  /** Text for the summary: which server it is, or why it is missing. */
  readonly note: string;
  /** Stops only a server that was started for the tests. */
  stop(): Promise<void>;
}

/** A server that existed before the tests and remains. */
export function foundServer(url: string, note: string): ProvidedServer {
  return { url, note, stop: () => Promise.resolve() };
}

/** @param note the summary shows it for all skipped tests. */
export function missingServer(note: string): ProvidedServer {
  return { url: undefined, note, stop: () => Promise.resolve() };
}
