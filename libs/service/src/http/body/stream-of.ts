import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';

import { nextTurn } from '../received-request.js';

/**
 * A stream of texts, one in a turn of the event loop, and none before its client has read those before it. Nothing more
 * is made of them when the client has gone.
 * @param pieces of a text, or its bytes, each made when it is asked for. @param response that they are of.
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
