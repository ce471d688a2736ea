import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';

import { nextTurn } from '../received-request.js';

/**
 * Streams pieces, one per turn of the event loop, as fast as the client reads, until it disconnects.
 * @param pieces each is produced when it is needed.
 */
export function streamOf(pieces: Iterable<string | Buffer>, response: ServerResponse): Readable {
  return Readable.from(inTurns(pieces, response), { objectMode: false });
}

async function* inTurns(pieces: Iterable<string | Buffer>, response: ServerResponse): AsyncGenerator<string | Buffer> {
  for (const piece of pieces) {
    yield piece;
    await endOfTurn();
    await nextTurn(response.req);
  }
}
