import { CreateApiKeyDto, type JsonSchema } from '@items/dtos';
import { NotOwnerError, QuotaEscalationError, ScopeEscalationError } from '@items/errors';

import type { CollectionNotes } from '../openapi/description/collection-notes.js';
import { extended, resourceSchema, TIME } from '../openapi/description/resource-schemas.js';

function nullable(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema['type'], 'null'] };
}

const SECRET_TIMES = { created_at: TIME, expires_at: nullable(TIME), last_used_at: nullable(TIME) };

/** What the documentation says of API keys beyond what it says of every collection. */
export const apiKeyNotes: CollectionNotes = {
  fields: {
    user_id: { type: ['string', 'null'], maxLength: 36, description: "Whose it is; null: the operator's." },
    secrets: {
      type: 'array',
      maxItems: 2,
      description: 'The valid secrets, newest first: two while one replaces the other.',
      items: {
        type: 'object',
        properties: SECRET_TIMES,
        required: Object.keys(SECRET_TIMES),
        additionalProperties: false,
      },
    },
    last_used_at: {
      ...TIME,
      type: ['string', 'null'],
      description: 'Null before the first use; may lag by some seconds.',
    },
  },
  secrets: {
    key: {
      type: 'string',
      maxLength: 53,
      pattern: '^itk_[0-9A-Za-z]{49}$',
      description: 'The key itself: shown once, never stored.',
      examples: [`itk_${'0'.repeat(49)}`],
    },
  },
  errors: [new NotOwnerError()],
  writeErrors: [new ScopeEscalationError(['items:write']), new QuotaEscalationError({ requests: 600, seconds: 60 })],
};

/** An API key with its secret, as the answers to creation and rotation show it. */
export const createdApiKey = extended(resourceSchema(CreateApiKeyDto, apiKeyNotes.fields), apiKeyNotes.secrets ?? {});
