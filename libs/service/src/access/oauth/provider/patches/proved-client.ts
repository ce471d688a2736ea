import { randomBytes } from 'node:crypto';

import type { Replay } from './replayed-request.js';

/** For oidc-provider, the secret of each client that has one; only this process knows it. */
export const PROVED_SECRET = randomBytes(32).toString('base64url');

/**
 * A request whose client has proved itself, as oidc-provider is to see it: it compares secrets in plain text, and only hashes
 * are stored. So the secret, which we have compared, is replaced by {@link PROVED_SECRET} where it stood.
 * @param fields of the form; the secret is replaced in them. One that stands twice stays, and is refused.
 * @returns headers to be replaced.
 */
export function withProvedSecret(clientId: string, isInHeader: boolean, fields: URLSearchParams): Replay['headers'] {
  if (isInHeader) {
    const basic = `${encodeURIComponent(clientId)}:${PROVED_SECRET}`;
    return { authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
  }
  if (fields.getAll('client_secret').length === 1) fields.set('client_secret', PROVED_SECRET);
  return {};
}
