import type { Answer } from './answer.js';
import { RawConnection, type RawConnectionOptions } from './raw-connection.js';

/** How a raw exchange is made. */
export interface RawExchangeOptions extends RawConnectionOptions {
  /** Longest wait for the first answer; default 10 000. */
  readonly timeoutMs?: number;
  /** Whether the sending side is closed after the bytes. */
  readonly halfClose?: boolean;
}

/** What came back. */
export interface RawExchange {
  /** The first answer that is not interim; undefined where the connection was closed without one. */
  readonly answer: Answer | undefined;
  /** The interim answers (1xx) before it. */
  readonly interim: readonly Answer[];
  /** Everything received until the answer was complete. */
  readonly bytes: Buffer;
}

/**
 * Sends bytes on a connection of their own and waits for the answer.
 * @param bytes text is sent as UTF-8.
 * @throws {Error} where neither an answer nor the end of the connection comes in time, or where it is not HTTP.
 */
export async function rawExchange(
  port: number,
  bytes: string | Uint8Array,
  options: RawExchangeOptions = {},
): Promise<RawExchange> {
  const connection = await RawConnection.open(port, options);
  try {
    connection.send(bytes);
    if (options.halfClose === true) connection.end();
    const interim: Answer[] = [];
    let answer = await connection.nextAnswer(options.timeoutMs);
    while (answer !== undefined && answer.status < 200) {
      interim.push(answer);
      answer = await connection.nextAnswer(options.timeoutMs);
    }
    return { answer, interim, bytes: connection.bytes };
  } finally {
    connection.destroy();
  }
}
