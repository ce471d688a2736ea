import { CreateApiKeyDto } from '@items/dtos';
import { NotOwnerError, ResourceNotFoundError } from '@items/conventions';
import type { CollectionDescription } from '../../document/description/collection-description.js';
import { exampleOf } from '../../document/description/example.js';
import { extended, resourceSchema } from '../../document/description/resource-schemas.js';
import { json, schemaRef } from '../../document/description/media-types.js';
import type { OperationDescription } from '../../document/description/operation.js';

import { DelegatedCredentialError, QuotaEscalationError, ScopeEscalationError } from '../errors/access-errors.js';
import { TOO_MANY_API_KEYS } from './key-owners.service.js';

/** Additions to the OpenAPI description of every collection. */
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
  errors: [new NotOwnerError()],
  writeErrors: [
    new ScopeEscalationError(['items:write']),
    new QuotaEscalationError({ requests: 600, seconds: 60 }),
    TOO_MANY_API_KEYS,
    new DelegatedCredentialError(),
  ],
};

/** An API key with its secret, in the responses to creation and rotation. */
const CREATED = extended(resourceSchema(CreateApiKeyDto), apiKeyDescription.secrets ?? {});

export const rotateApiKeyOperation: OperationDescription = {
  tag: 'API keys',
  id: 'rotateApiKey',
  summary: 'Give an API key a new secret',
  description:
    'The former secret works until its grace period ends; at most two work at once. The new secret is shown only in this answer.',
  ending: 'created',
  secret: true,
  content: json(schemaRef('CreatedApiKey'), exampleOf(CREATED)),
  errors: [
    new ResourceNotFoundError('API key'),
    new DelegatedCredentialError(),
    new NotOwnerError(),
    new ScopeEscalationError(['items:write']),
  ],
};
