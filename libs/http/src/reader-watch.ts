import type { Connection } from './connection.js';
import { writtenOn } from './node-internals.js';

interface Progress {
  left: number;
  /** When bytes last left. */
  at: number;
}

/** Finds the clients that ask and do not read their answers. Reading slowly is no fault: any byte that leaves counts. */
export class ReaderWatch {
  private readonly progress = new WeakMap<Connection, Progress>();

  /** @param limitMs how long nothing may leave while something waits. */
  constructor(private readonly limitMs: number) {}

  /** Ends the connections that have been stuck for too long. @param now milliseconds of any clock. */
  check(connections: Iterable<Connection>, now: number): void {
    for (const connection of connections) {
      const { left, waiting } = writtenOn(connection.tcp);
      const known = this.progress.get(connection);
      if (waiting === 0) this.progress.delete(connection);
      else if (known?.left !== left) this.progress.set(connection, { left, at: now });
      // Nothing can be said to whom does not listen, and what waits in the operating system is to go as well.
      else if (now - known.at >= this.limitMs) connection.tcp.resetAndDestroy();
    }
  }
}
