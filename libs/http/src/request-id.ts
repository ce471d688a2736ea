import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { HEADER } from '@items/conventions';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

// Unique between processes and starts; the counter makes it unique within one, for less than a random id costs.
const prefix = randomBytes(6).toString('base64url').replaceAll('_', '.');
let count = 0;

/** The id that the client gave its request, where it is harmless in a log, else a new one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const given = message.headers[HEADER.requestId];
  if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}
