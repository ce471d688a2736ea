import { randomBytes } from 'node:crypto';

import type { Replay } from './replayed-request.js';

/** The secret of every confidential client in oidc-provider; only this process knows it. */
export const PROVED_SECRET = randomBytes(32).toString('base64url');

/**
 * Prepares a request of an authenticated client for oidc-provider, which compares secrets in plain text, while only
 * hashes are stored. Replaces the verified secret with {@link PROVED_SECRET}.
 * @param fields of the form; the secret in them is replaced. A repeated secret stays, and oidc-provider refuses it.
 * @returns headers to replace.
 */
export function withProvedSecret(clientId: string, isInHeader: boolean, fields: URLSearchParams): Replay['headers'] {
  if (isInHeader) {
    const basic = `${encodeURIComponent(clientId)}:${PROVED_SECRET}`;
    return { authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
  }
  if (fields.getAll('client_secret').length === 1) fields.set('client_secret', PROVED_SECRET);
  return {};
}
