import { ResourceNotFoundError, ScopeEscalationError } from '@items/errors';
import { CreateClientDto, type JsonSchema } from '@items/dtos';

import type { CollectionNotes } from '../../openapi/description/collection-notes.js';
import { json, schemaRef } from '../../openapi/description/media-types.js';
import { exampleOf } from '../../openapi/description/example.js';
import type { OperationDescription } from '../../openapi/description/operation.js';
import { extended, ID, resourceSchema } from '../../openapi/description/resource-schemas.js';

const FIELDS = { client_id: { ...ID, description: 'The same as `id`, under the name of RFC 6749.' } };

const SECRETS: Readonly<Record<string, JsonSchema>> = {
  client_secret: {
    type: 'string',
    maxLength: 47,
    pattern: '^ics_[A-Za-z0-9_-]{43}$',
    description: 'Shown once, never stored.',
    examples: [`ics_${'0'.repeat(43)}`],
  },
};

/** What the documentation says of clients beyond what it says of every collection. */
export const clientNotes: CollectionNotes = {
  fields: FIELDS,
  secrets: SECRETS,
  writeErrors: [new ScopeEscalationError(['items:write'])],
};

const CREATED = extended(resourceSchema(CreateClientDto, FIELDS), SECRETS);

export const rotateClientNotes: OperationDescription = {
  tag: 'Clients',
  id: 'rotateClientSecret',
  summary: "Replace a client's secret",
  description: 'The former secret works until the grace ends; one whose grace had begun ends now.',
  resource: 'client',
  ending: 'created',
  secret: true,
  content: json(schemaRef('CreatedClient'), exampleOf(CREATED)),
  schemas: { CreatedClient: CREATED },
  errors: [new ResourceNotFoundError('client'), new ScopeEscalationError(['items:write'])],
};
