import { randomBytes } from 'node:crypto';

import { RotatingSecrets } from '../../access/credentials/secrets/rotating-secrets.js';

/** After a rotation, the previous secret also signs until its grace period ends. */
export const webhookSecrets = new RotatingSecrets({ name: 'webhook_secrets', owner: 'webhook_id', secret: 'secret' });

/** Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
