import {
  DEFAULT_PAGE_SIZE,
  MAX_CURSOR_LENGTH,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_PAGE_SIZE,
  SUPPORTED_API_VERSIONS,
} from '@items/contracts';
import type { JsonSchema } from '@items/dtos';
import type { ListRules } from '@items/paging';

import { EXAMPLE_ID } from '../description/example.js';
import type { OperationDescription } from '../description/operation.js';
import type { Components } from './components.js';
import type { ParameterObject, Reference } from './openapi-document.js';

/** More than a header or a query can hold: for what the service reads without a limit of its own. */
const UNLIMITED = 16_384;

const API_VERSION_HEADER = header('Api-Version', {
  description: 'The version that the client was written for; without it the current one. §9',
  schema: { type: 'string', enum: SUPPORTED_API_VERSIONS },
  example: SUPPORTED_API_VERSIONS[0],
});
const REQUEST_ID_HEADER = header('X-Request-Id', {
  description:
    'A name for the request, which its answer and the log repeat: up to 128 of A-Z a-z 0-9 . _ -; others are ignored.',
  schema: { type: 'string', maxLength: UNLIMITED },
  example: 'order-4711',
});
const IF_MATCH = header('If-Match', {
  description: 'Only if the resource is in this state, else 412. RFC 9110 §13.1.1',
  schema: { type: 'string', maxLength: UNLIMITED },
  example: '"1lqk2v8w0-0"',
});
const IF_NONE_MATCH = header('If-None-Match', {
  description: 'Only if the resource is in another state, else 304. RFC 9110 §13.1.2',
  schema: { type: 'string', maxLength: UNLIMITED },
  example: '"1lqk2v8w0-0"',
});
const IF_NONE_MATCH_OF_WRITES = header('If-None-Match', {
  description: 'Only if the resource is in another state, else 412: always so with `*`. RFC 9110 §13.1.2',
  schema: { type: 'string', maxLength: UNLIMITED },
  example: '"1lqk2v8w0-0"',
});
const IDEMPOTENCY_KEY = header('Idempotency-Key', {
  description: 'Makes the request safe to repeat: for 24 hours the same key and body get the first answer. §4',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH, pattern: '^[\\x21-\\x7e]+$' },
  example: '4f8b1c9e-create-blue-mug',
});

const OWN_USER = '`me` is the user whose credential it is; another one only for an administrator, else 403.';

const PAGING = [
  query('page', `Offset style: number of the page. Not beside \`cursor\` or \`limit\`.`, integer(1), 1),
  query(
    'per_page',
    `Offset style: rows a page, ${DEFAULT_PAGE_SIZE} without it; more than ${MAX_PAGE_SIZE} is served as ${MAX_PAGE_SIZE}.`,
    size(),
    20,
  ),
  query(
    'limit',
    `Cursor style: rows a page, ${DEFAULT_PAGE_SIZE} without it; more than ${MAX_PAGE_SIZE} is served as ${MAX_PAGE_SIZE}.`,
    size(),
    20,
  ),
  query(
    'cursor',
    'Cursor style: `next_cursor` of the page before. It belongs to the same filter and sort; `limit` may change.',
    { type: 'string', minLength: 1, maxLength: MAX_CURSOR_LENGTH },
    'AQx5c29ydA',
  ),
];

const BY_ENDING: Readonly<Record<OperationDescription['ending'], readonly ParameterObject[]>> = {
  plain: [],
  list: PAGING,
  created: [IDEMPOTENCY_KEY],
  tagged: [IF_NONE_MATCH, IF_MATCH],
  replaced: [IF_MATCH, IF_NONE_MATCH_OF_WRITES],
  deleted: [IF_MATCH, IF_NONE_MATCH_OF_WRITES],
  done: [],
  redirected: [],
};

/** What a request may carry beside path, credential and body. @param name of the operation. */
export function parametersOf(
  { ending, list }: OperationDescription,
  name: string,
  components: Components,
): (Reference | ParameterObject)[] {
  const shared = [...BY_ENDING[ending], API_VERSION_HEADER, REQUEST_ID_HEADER];
  const references = shared.map((parameter) => components.parameters.put(parameter.name, parameter, name));
  return list === undefined ? references : [...listParameters(list), ...references];
}

/** The parameters of a path, each named once: an id that cannot be one is unknown. decisions §1 */
export function pathParametersOf(path: string): ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'user_id' ? OWN_USER : 'What is not an id of a resource is unknown: 404.',
    schema: { type: 'string', minLength: 1, maxLength: UNLIMITED },
    example: EXAMPLE_ID,
  }));
}

function listParameters({ sortable, filters }: ListRules): ParameterObject[] {
  const key = `-?(${sortable.join('|')})`;
  const sort = query(
    'sort',
    `One or more of ${sortable.map((field) => `\`${field}\``).join(', ')}, each once, separated by commas; \`-\` for
descending. The id breaks ties, nulls come last either way. Without it: creation order.`.replaceAll('\n', ' '),
    { type: 'string', maxLength: 1024, pattern: `^${key}(,${key})*$` },
    `-${sortable[0] ?? ''}`,
  );
  return [sort, ...Object.entries(filters).map(([name, { schema }]) => filter(name, schema))];
}

function filter(name: string, schema: JsonSchema): ParameterObject {
  const [example = 'red'] = (schema['enum'] as string[] | undefined) ?? (schema['type'] === 'boolean' ? [true] : []);
  return {
    ...query(name, 'Only these; several are separated by commas.', array(schema), [example]),
    style: 'form',
    explode: false,
  };
}

function array(items: JsonSchema): JsonSchema {
  return { type: 'array', items, minItems: 1, maxItems: UNLIMITED / 2 };
}

function header(name: string, rest: Pick<ParameterObject, 'description' | 'schema' | 'example'>): ParameterObject {
  return { name, in: 'header', required: false, ...rest };
}

function query(name: string, description: string, schema: JsonSchema, example: unknown): ParameterObject {
  return { name, in: 'query', required: false, description, schema, example };
}

function integer(minimum: number): JsonSchema {
  return { type: 'integer', format: 'int64', minimum, maximum: Number.MAX_SAFE_INTEGER };
}

function size(): JsonSchema {
  return { ...integer(1), default: DEFAULT_PAGE_SIZE };
}
