import type { Connection } from './connection.js';

interface Progress {
  /** Bytes that the operating system had taken. */
  readonly taken: number;
  /** When it took the last of them. */
  readonly at: number;
}

/**
 * Finds the clients that ask and do not read their responses. Reading slowly is no fault: any piece that leaves counts, and a
 * long response is written in pieces.
 */
export class ReaderWatch {
  private readonly progress = new WeakMap<Connection, Progress>();

  /** @param limitMs how long nothing may leave while something waits. */
  constructor(private readonly limitMs: number) {}

  /** Ends the connections that have been stuck for too long. @param now milliseconds of any clock. */
  check(connections: Iterable<Connection>, now: number): void {
    for (const connection of connections) {
      const { writableLength, bytesWritten } = connection.socket ?? connection.tcp;
      const taken = bytesWritten - writableLength;
      const known = this.progress.get(connection);
      if (writableLength === 0) this.progress.delete(connection);
      else if (known?.taken !== taken) this.progress.set(connection, { taken, at: now });
      // Nothing can be said to whom does not listen, and what waits in the operating system is to go as well.
      else if (now - known.at >= this.limitMs) connection.tcp.resetAndDestroy();
    }
  }
}
