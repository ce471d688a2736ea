/** A server that tests may use, or the reason why there is none. */
export interface ProvidedServer {
  /** Where it answers; undefined where none could be had. */
  readonly url: string | undefined;
  /** For the summary: which server it is, or why it is missing. */
  readonly note: string;
  /** Stops what was started for the tests; leaves a server that was already there alone. */
  stop(): Promise<void>;
}

/** A server that was there before the tests and stays. */
export function foundServer(url: string, note: string): ProvidedServer {
  return { url, note, stop: () => Promise.resolve() };
}

/** No server; `note` is the sentence that the summary shows for everything that is skipped. */
export function missingServer(note: string): ProvidedServer {
  return { url: undefined, note, stop: () => Promise.resolve() };
}
