import type { JsonSchema } from '@items/fields';

import { feedOperations, optional } from '../../document/description/feed-operations.js';
import { closed, ID, TIME } from '../../document/description/resource-schemas.js';

const nullable = (schema: JsonSchema): JsonSchema => ({ ...schema, type: ['string', 'null'] });
const words = (maxLength: number, description: string, ...examples: string[]): JsonSchema => ({
  type: 'string',
  maxLength,
  description,
  examples,
});

const RECORD = closed({
  id: { ...ID, description: 'Of the event, where there is one.' },
  type: words(64, 'New types may come at any time.', 'item.updated'),
  timestamp: TIME,
  actor: closed({
    type: {
      type: 'string',
      enum: ['user', 'api_key', 'client', 'outside', 'system'],
      description: '`system`: the service itself.',
      examples: ['user'],
    },
    user_id: nullable({ ...ID, description: 'Of the credential.' }),
    credential_id: nullable(words(64, 'Of the key, the session, the approval or the strategy.', 'admin')),
    client_id: nullable(words(64, 'Of the application; `first-party` for a session.', 'first-party')),
  }),
  address: nullable(words(64, 'Of the network.', '203.0.113.7')),
  request_id: nullable(words(128, 'As in `X-Request-Id`.', '019a9f59d3807000')),
  object: closed({ type: words(64, 'What was changed.', 'item'), id: ID }),
  changed: {
    type: 'array',
    maxItems: 256,
    items: words(64, 'A field.', 'price'),
    description: 'Fields whose value differs.',
    examples: [['price']],
  },
});

const EXAMPLE = {
  id: '019a9f59-d380-7000-9a17-3c5e2b7d8f40',
  type: 'item.updated',
  timestamp: '2026-11-20T10:00:00.000Z',
  actor: { type: 'api_key', user_id: null, credential_id: 'admin', client_id: null },
  address: '203.0.113.7',
  request_id: '019a9f59-d37e-7000-8a4e-5d0c6b1f2e93',
  object: { type: 'item', id: '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27' },
  changed: ['price'],
};

export function auditNotes(types: readonly string[]): ReturnType<typeof feedOperations> {
  const actor = words(64, 'Only what this user, credential or client did.', 'admin');
  return feedOperations({
    tag: 'Audit',
    singular: 'audit event',
    description: 'Each committed change and who made it, in the order of `/events`, followed in the same way.',
    kinds: typesBySubject(types),
    exampleType: 'item.*',
    example: EXAMPLE,
    pageExample: [],
    schema: RECORD,
    query: [optional('actor_id', { ...actor, minLength: 1 })],
  });
}

/** Groups types by subject: `item.*` (created, updated). */
function typesBySubject(types: readonly string[]): string {
  const kinds = new Map<string, string[]>();
  for (const type of types) {
    const [subject = '', kind = ''] = type.split('.');
    kinds.set(subject, [...(kinds.get(subject) ?? []), kind]);
  }
  return [...kinds].map(([subject, of]) => `\`${subject}.*\` (${of.join(', ')})`).join('; ');
}
