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
  replaces: 'Replaces what is sent; a field that is left out stays as it is, and null clears one that may be empty.',
  rotation: {
    id: 'rotateApiKey',
    summary: 'Give an API key a new secret',
    description:
      'The former secret works until its grace period ends; at most two work at once. The new secret is shown only in this answer.',
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
