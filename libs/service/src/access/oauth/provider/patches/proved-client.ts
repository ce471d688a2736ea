import { randomBytes } from 'node:crypto';

import type { Replay } from './replayed-request.js';

/** The secret of every confidential client in oidc-provider; only this process knows it. */
export const PROVED_SECRET = randomBytes(32).toString('base64url');

/**
 * oidc-provider compares secrets in plain text, while only hashes are stored. So {@link PROVED_SECRET} replaces the
 * verified secret. oidc-provider refuses a repeated secret.
 * @returns Headers to replace.
 */
export function withProvedSecret(clientId: string, isInHeader: boolean, fields: URLSearchParams): Replay['headers'] {
  if (isInHeader) {
    const basic = `${encodeURIComponent(clientId)}:${PROVED_SECRET}`;
    return { authorization: `Basic ${Buffer.from(basic).toString('base64')}` };
  }
  if (fields.getAll('client_secret').length === 1) fields.set('client_secret', PROVED_SECRET);
  return {};
}
