import type { IncomingMessage } from 'node:http';

import { HEADER, InvalidHeaderError, MAX_IDEMPOTENCY_KEY_LENGTH } from '@items/conventions';

const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${String(MAX_IDEMPOTENCY_KEY_LENGTH)}}$`);

/** @throws {InvalidHeaderError} 400: empty, too long, with blanks, or given twice. @see SPEC §4.4 */
export function idempotencyKeyOf(message: IncomingMessage): string | undefined {
  const given = message.headers[HEADER.idempotencyKey];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && VISIBLE.test(given)) return given;
  const limit = String(MAX_IDEMPOTENCY_KEY_LENGTH);
  throw new InvalidHeaderError(`Idempotency-Key must be given once, as 1 to ${limit} visible ASCII characters.`);
}
