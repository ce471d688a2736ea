import { unexpected } from '../errors/error-of-answer.js';
import { ItemsNetworkError } from '../errors/items-network-error.js';
import { retrying } from '../http/retry.js';
import { isStatus } from '../errors/api-error-status.js';
import { isTransient } from '../http/transport.js';
import type { Reach } from './reach.js';
import { compare } from './comparison.js';
import { etagOf } from './etag-of.js';

/** A change of one resource. */
export interface Update<T, Input> {
  readonly read: () => Promise<T>;
  readonly change: (current: T) => Input | Promise<Input>;
  /** Writes once, if the `ETag` is still the same. */
  readonly write: (input: Input, etag: string) => Promise<T>;
  readonly signal: AbortSignal | undefined;
}

/** A write whose answer did not come. */
interface Unanswered {
  readonly before: object;
  readonly sent: object;
  readonly error: unknown;
}

/** Others may be faster so many times; each time one of them has got on. */
const MAX_CONFLICTS = 100;

/** Reads, changes and writes until no other change came between. What may have been done is looked for before it is done again. */
export async function updated<T extends object, Input>(reach: Reach, update: Update<T, Input>): Promise<T> {
  let unanswered: Unanswered | undefined;
  let failure: unknown;

  const round = async (): Promise<T | undefined> => {
    const current = await update.read();
    const etag = strongEtagOf(current);
    if (unanswered !== undefined && wasMade(unanswered, current)) return current;
    const input = await update.change(current);
    try {
      return await update.write(input, etag);
    } catch (error) {
      if (isStatus(error, 412)) return undefined;
      if (isTransient(error)) failure = error;
      if (isTransient(error) && !isStatus(error, 429)) {
        unanswered = { before: current, sent: input as object, error };
      }
      throw error;
    }
  };
  const rounds = async (): Promise<T> => {
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      const written = await round();
      if (written !== undefined) return written;
    }
    throw unexpected(412, `Others were faster ${String(MAX_CONFLICTS)} times.`);
  };
  return retrying(reach.retry, update.signal, rounds, (error) => error === failure);
}

function wasMade({ before, sent, error }: Unanswered, current: object): boolean {
  const verdict = compare(before, sent, current);
  if (verdict !== 'unclear') return verdict === 'made';
  const message =
    'The answer to the change was lost, and others have changed the same fields: whether it was made cannot be told.';
  throw new ItemsNetworkError(message, { cause: error });
}

/** RFC 9110 §13.1.1: `If-Match` compares strongly, so that a weak one never matches. */
function strongEtagOf(resource: object): string {
  const etag = etagOf(resource);
  if (etag?.startsWith('"') === true) return etag;
  throw unexpected(200, 'Without a strong ETag, only "replace" is possible.');
}
