import { etagIn } from '../http/etag-of.js';
import { unexpected } from '../errors/error-of-answer.js';
import { isStatus, type ItemsApiError, ItemsNetworkError } from '../errors/items-api-error.js';
import type { Answer } from '../http/outgoing-request.js';
import { jittered, retrying } from '../http/retry.js';
import { isTransient } from '../http/transport.js';
import { pauseFor, type Reach } from './reach.js';
import { compare } from './comparison.js';

export interface Update<T, Input> {
  readonly read: () => Promise<Answer>;
  readonly change: (current: T) => Input | Promise<Input>;
  /** Writes once, without a retry, if the `ETag` still matches. */
  readonly write: (input: Input, etag: string) => Promise<Answer>;
  readonly signal: AbortSignal | undefined;
}

interface Unanswered {
  readonly before: object;
  readonly sent: object;
  readonly error: unknown;
}

const MAX_ROUNDS = 30;
/** Pause after the first conflict. Each further pause is a quarter longer: at most 26 s in total. */
const FIRST_PAUSE_MS = 10;
const PAUSE_GROWTH = 1.25;

/** Reads, changes and writes, and repeats after a conflict. After a lost response, first checks if the change was made. */
export async function updated<T, Input>(reach: Reach, update: Update<T, Input>): Promise<Answer> {
  const { retry } = reach;
  let unanswered: Unanswered | undefined;
  let failure: unknown;
  let rounds = 0;

  /** @returns The 412 error if another client wrote between the read and the write. */
  const round = async (): Promise<Answer | ItemsApiError> => {
    rounds += 1;
    const current = await update.read();
    const etag = requiredEtag(current);
    if (unanswered !== undefined && wasMade(unanswered, current.body)) return current;
    const input = await update.change(current.body as T);
    try {
      return await update.write(input, etag);
    } catch (error) {
      if (isStatus(error, 412)) return error;
      if (isTransient(error)) failure = error;
      if (isTransient(error) && !isStatus(error, 429)) {
        unanswered = { before: current.body, sent: input as object, error };
      }
      throw error;
    }
  };
  const untilWritten = async (): Promise<Answer> => {
    for (;;) {
      const outcome = await round();
      if ('body' in outcome) return outcome;
      if (rounds >= MAX_ROUNDS) throw outcome;
      await pauseFor(reach, jittered(FIRST_PAUSE_MS * PAUSE_GROWTH ** (rounds - 1), retry), update.signal);
    }
  };
  return retrying(retry, update.signal, untilWritten, (error) => error === failure && rounds < MAX_ROUNDS);
}

function wasMade({ before, sent, error }: Unanswered, current: object): boolean {
  const isMade = compare(before, sent, current);
  if (isMade !== undefined) return isMade;
  const message = 'The response was lost: the change may or may not have been made.';
  throw new ItemsNetworkError(message, { cause: error });
}

function requiredEtag({ headers }: Answer): string {
  const etag = etagIn(headers);
  if (etag) return etag;
  throw unexpected(200, 'Without an ETag, only "replace" is possible.');
}
