import type { Answer } from './answer.js';
import { RawConnection, type RawConnectionOptions } from './raw-connection.js';

export interface RawExchangeOptions extends RawConnectionOptions {
  /** Maximum wait for the first response; default 10 000. */
  readonly timeoutMs?: number;
  /** Closes the sending side after the bytes. */
  readonly halfClose?: boolean;
}

export interface RawExchange {
  /** The first response that is not interim; undefined if the connection was closed without one. */
  readonly answer: Answer | undefined;
  /** The interim responses (1xx) before it. */
  readonly interim: readonly Answer[];
  /** Everything received until the response was complete. */
  readonly bytes: Buffer;
}

/**
 * Sends bytes on a new connection and waits for the response.
 * @param bytes text is sent as UTF-8.
 * @throws {Error} neither a response nor the end comes in time, or it is not HTTP.
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
