import type { Connection } from './connection.js';

interface Rest {
  /** Bytes that had come in all. */
  readonly came: number;
  /** When it was first seen so. */
  readonly since: number;
}

/**
 * Finds the connections on which nothing has come since their last answer. Node would set a timer after each answer and
 * clear it with the next request, which costs every one of them.
 */
export class IdleWatch {
  private readonly rests = new WeakMap<Connection, Rest>();

  /** @param limitMs how long nothing may come. */
  constructor(private readonly limitMs: number) {}

  /**
   * Ends those that have been idle for too long. One on which nothing has been asked as yet is Node's.
   * @param now milliseconds of any clock.
   */
  check(connections: Iterable<Connection>, now: number): void {
    for (const connection of connections) {
      const { latest, isBusy, tcp, socket } = connection;
      const rest = this.rests.get(connection);
      if (latest === undefined || isBusy) this.rests.delete(connection);
      else if (rest?.came !== tcp.bytesRead) this.rests.set(connection, { came: tcp.bytesRead, since: now });
      else if (now - rest.since >= this.limitMs) socket?.destroy();
    }
  }
}
