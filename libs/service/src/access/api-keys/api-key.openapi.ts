import { NotOwnerError } from '@items/conventions';
import type { CollectionDescription } from '../../document/description/collection-description.js';
import { DelegatedCredentialError, QuotaEscalationError, ScopeEscalationError } from '../errors/access-errors.js';
import { TOO_MANY_API_KEYS } from './key-owners.service.js';

export const apiKeyDescription: CollectionDescription = {
  secrets: {
    key: {
      type: 'string',
      maxLength: 53,
      pattern: '^itk_[0-9A-Za-z]{49}$',
      description: 'The key itself: shown once, never stored.',
      examples: [`itk_${'0'.repeat(49)}`],
    },
  },
  replaces: 'Replaces the sent fields. An omitted field is unchanged, and null clears a field that may be empty.',
  rotation: {
    id: 'rotateApiKey',
    summary: 'Give an API key a new secret',
    description:
      'The former secret works until its grace period ends; at most two secrets work at a time. Only this response shows the new secret.',
    errors: [new DelegatedCredentialError(), new NotOwnerError(), new ScopeEscalationError(['items:write'])],
  },
  errors: [new NotOwnerError()],
  writeErrors: [
    new ScopeEscalationError(['items:write']),
    new QuotaEscalationError({ requests: 600, seconds: 60 }),
    TOO_MANY_API_KEYS,
    new DelegatedCredentialError(),
  ],
};
