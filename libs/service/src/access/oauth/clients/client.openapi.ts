import { ScopeEscalationError } from '../../errors/access-errors.js';
import { NO_SECRET } from '../../credentials/clients/client-rules.js';
import { ConflictError } from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import type { CollectionDescription } from '../../../document/description/collection-description.js';

const SECRETS: Readonly<Record<string, JsonSchema>> = {
  client_secret: {
    type: 'string',
    maxLength: 47,
    pattern: '^ics_[A-Za-z0-9_-]{43}$',
    description: 'Shown once, never stored; absent where `token_endpoint_auth_method` is `none`.',
    examples: [`ics_${'0'.repeat(43)}`],
  },
};

export const clientDescription: CollectionDescription = {
  secrets: SECRETS,
  mayLackSecrets: true,
  replaces: 'Replaces the sent fields. An omitted field is unchanged.',
  rotation: {
    id: 'rotateClientSecret',
    summary: "Replace a client's secret",
    description: 'The former secret works until its grace period ends; an older one stops working now.',
    errors: [new ScopeEscalationError(['items:write']), new ConflictError('no_client_secret', NO_SECRET)],
  },
  writeErrors: [new ScopeEscalationError(['items:write'])],
};
