import { capitalised } from '../description/collection-names.js';
import { EXAMPLE_ID } from '../description/example.js';
import { ID } from '../description/resource-schemas.js';
import type { Named, ParameterObject, WebhookObject } from '../openapi-document.js';
import type { Route } from '../route.js';
import type { Components } from './components.js';

const HEADER = { in: 'header', required: true } as const;
/** Headers of every webhook. Standard Webhooks 1.0.0 */
const HEADERS: readonly ParameterObject[] = [
  {
    name: 'webhook-id',
    ...HEADER,
    description: 'The id of the event, the same in each attempt: drop what you know.',
    schema: { ...ID, description: 'The id of the event.' },
    example: EXAMPLE_ID,
  },
  {
    name: 'webhook-timestamp',
    ...HEADER,
    description: 'When the attempt was made, in seconds since 1970: refuse what is older than 5 minutes.',
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    example: 1_795_168_818,
  },
  {
    name: 'webhook-signature',
    ...HEADER,
    description:
      '`v1,` and the HMAC-SHA256 of id, time stamp and body; one for each secret that lives, apart by spaces.',
    schema: { type: 'string', maxLength: 1024 },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

const RESPONSES = {
  '2XX': { description: 'The event has come: it is not sent again, but for a replay.' },
  '410': { description: 'No more are wanted: the webhook is disabled.' },
  default: { description: 'The event is sent again later.' },
} as const;

/** @returns undefined if no route describes webhooks. OpenAPI 3.1 §4.8.1 */
export function webhooksOf(routes: readonly Route[], components: Components): Named<WebhookObject> | undefined {
  const all = routes.flatMap(({ description: { webhooks = {}, tag } }) =>
    Object.entries(webhooks).map(([name, sent]) => ({ name, sent, tag })),
  );
  if (all.length === 0) return undefined;
  const parameters = HEADERS.map((header) => components.parameters.put(header.name, header, header.name));
  const webhooks = all.map(({ name, sent: { summary, content }, tag }): [string, WebhookObject] => {
    const post = {
      operationId: `on${name.split('.').map(capitalised).join('')}`,
      tags: [tag],
      summary,
      description: `Sent to the webhooks whose \`events\` hold \`${name}\`.`,
      parameters,
      requestBody: { required: true, description: 'The event, as it was made.', content },
      responses: RESPONSES,
      security: [],
    } as const;
    return [name, { post }];
  });
  return Object.fromEntries(webhooks);
}
