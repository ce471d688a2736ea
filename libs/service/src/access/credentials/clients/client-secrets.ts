import type { Queryable } from '../../../data/database/database.js';
import { RotatingSecrets } from '../secrets/rotating-secrets.js';

/** Scanners find leaked secrets by this prefix. */
const PREFIX = 'ics_';
const FORM = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{43}$`);

const LIVE = 'SELECT hash FROM client_secrets WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > $2)';

export const clientSecrets = new RotatingSecrets({ name: 'client_secrets', owner: 'client_id', secret: 'hash' });

export function clientSecret(random: string): string {
  return PREFIX + random;
}

export function isClientSecret(text: string): boolean {
  return FORM.test(text);
}

export async function liveSecretHashes(database: Queryable, clientId: string): Promise<string[]> {
  const rows = await database.query<{ hash: string }>(LIVE, [clientId, Date.now()]);
  return rows.map(({ hash }) => hash);
}
