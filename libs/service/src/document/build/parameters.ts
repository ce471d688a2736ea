import { DEFAULT_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_IDEMPOTENCY_KEY_LENGTH, MAX_PAGE_SIZE } from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import { type ListRules, MAX_FILTER_COMBINATIONS, type RangeEnd, type RangeRule } from '@items/paging';

import { EXAMPLE_ID } from '../description/example.js';
import type { OperationDescription } from '../description/operation.js';
import type { OpenApiOptions } from '../openapi-options.js';
import type { Components } from './components.js';
import type { ParameterObject, Reference } from '../openapi-document.js';

/** Documented maximum length of a list of entity tags. The service accepts any that fits into the headers. */
const MAX_TAGS_LENGTH = 4096;
const MAX_ID_LENGTH = 36;

const REQUEST_ID_HEADER = header('X-Request-Id', {
  description:
    'An id of the request, which the response and the log repeat: up to 128 of A-Z a-z 0-9 . _ -; others are ignored.',
  schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._-]+$' },
  example: 'order-4711',
  'x-lenient': true,
});
const IF_MATCH = tags('If-Match', 'Only if the resource is in this state, else 412. RFC 9110 §13.1.1');
const IF_NONE_MATCH = tags('If-None-Match', 'Only if the resource is in another state, else 304. RFC 9110 §13.1.2');
const IF_NONE_MATCH_OF_WRITES = tags(
  'If-None-Match',
  'Only if the resource is in another state, else 412: always so with `*`. RFC 9110 §13.1.2',
);
const IDEMPOTENCY_KEY = header('Idempotency-Key', {
  description: 'Makes the request safe to repeat: for 24 hours the same key and body get the first response.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH, pattern: '^[\\x21-\\x7e]+$' },
  example: '4f8b1c9e-create-blue-mug',
});

const PAGE = query(
  'page',
  `Offset style: number of the page. Not beside \`cursor\` or \`limit\`.`,
  integer(Number.MAX_SAFE_INTEGER),
  1,
);
const CURSOR = query(
  'cursor',
  'Cursor style: `next_cursor` of the page before. It belongs to the same filter and sort; `limit` may change.',
  { type: 'string', minLength: 1, maxLength: MAX_CURSOR_LENGTH },
  'AQx5c29ydA',
);

const BY_ENDING: Readonly<Record<OperationDescription['ending'], readonly ParameterObject[]>> = {
  plain: [],
  list: [],
  created: [IDEMPOTENCY_KEY],
  tagged: [IF_NONE_MATCH, IF_MATCH],
  replaced: [IF_MATCH, IF_NONE_MATCH_OF_WRITES],
  deleted: [IF_MATCH, IF_NONE_MATCH_OF_WRITES],
  done: [],
  redirected: [],
};

export function parametersOf(
  { ending, list, query: asked = [] }: OperationDescription,
  name: string,
  components: Components,
): (Reference | ParameterObject)[] {
  const { versions } = components.api;
  const shared = [
    ...(ending === 'list' ? pagingOf(list) : BY_ENDING[ending]),
    ...(versions === undefined ? [] : [versionHeader(versions)]),
    REQUEST_ID_HEADER,
  ];
  const references = shared.map((parameter) => components.parameters.put(parameter.name, parameter, name));
  const own = asked.map(({ name, required, schema: { description, examples, ...schema } }) => ({
    ...query(name, String(description), schema, (examples as unknown[])[0]),
    required,
  }));
  return [...own, ...(list === undefined ? [] : listParameters(list)), ...references];
}

function pagingOf({ maxPageSize = MAX_PAGE_SIZE }: Pick<ListRules, 'maxPageSize'> = {}): readonly ParameterObject[] {
  return [PAGE, size('per_page', 'Offset', maxPageSize), size('limit', 'Cursor', maxPageSize), CURSOR];
}

function size(name: string, style: string, max: number): ParameterObject {
  const usual = Math.min(DEFAULT_PAGE_SIZE, max);
  const description = `${style} style: rows a page, ${usual} without it; more is served as ${max}.`;
  return { ...query(name, description, integer(max), usual), 'x-lenient': true };
}

function versionHeader(versions: readonly string[]): ParameterObject {
  return header('Api-Version', {
    description: 'The version that the client was written for; without it the current one.',
    schema: { type: 'string', enum: versions },
    example: versions[0],
  });
}

/** The schema has no `format`, because a malformed id is 404 like an unknown one. SPEC §1 */
export function pathParametersOf(path: string, { pathParameters = {} }: OpenApiOptions): ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const about = pathParameters[name] ?? 'An unknown or malformed id is 404.';
    return {
      name,
      in: 'path',
      required: true,
      description: typeof about === 'string' ? about : about.description,
      schema: { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH },
      example: typeof about === 'string' ? EXAMPLE_ID : about.example,
    };
  });
}

function listParameters({ sortable, filters, ranges = {} }: ListRules): ParameterObject[] {
  return [
    sort(sortable),
    ...Object.entries(filters).map(([name, { schema }]) => filter(name, schema)),
    ...Object.entries(ranges).flatMap(([field, rule]) => rangeOf(field, rule, filters)),
  ];
}

const RANGE_ENDS: Readonly<Record<RangeEnd, string>> = {
  min: 'is at least this',
  max: 'is at most this',
  prefix: 'begins with this',
};
const RANGE_EXAMPLES: Readonly<Record<string, unknown>> = {
  'date-time': '2026-11-01T00:00:00Z',
  number: 10,
  string: 'Blue',
};

/** A filter of the same name takes precedence over a range parameter. */
function rangeOf(field: string, { ends, schema }: RangeRule, filters: ListRules['filters']): ParameterObject[] {
  const example = RANGE_EXAMPLES[String(schema['format'] ?? schema['type'])];
  const start = `Cursor style, \`sort\` by \`${field}\` first: only rows where it`;
  return ends
    .map((end) => query(`${field}_${end}`, `${start} ${RANGE_ENDS[end]}.`, schema, example))
    .filter(({ name }) => !Object.hasOwn(filters, name));
}

function sort(sortable: readonly string[]): ParameterObject {
  const keys = sortable.flatMap((field) => [field, `-${field}`]);
  return commaSeparated(
    'sort',
    `Each field once; \`-\` for descending. The id breaks ties, nulls come last either way. Without it: creation order.`,
    { items: { type: 'string', enum: keys }, uniqueItems: true, maxItems: sortable.length },
    `-${sortable[0] ?? ''}`,
  );
}

function filter(name: string, schema: JsonSchema): ParameterObject {
  const [example = 'red'] = (schema['enum'] as string[] | undefined) ?? (schema['type'] === 'boolean' ? [true] : []);
  const rules = { items: schema, maxItems: MAX_FILTER_COMBINATIONS };
  const description = `Only rows with one of these values. All filters together: at most ${MAX_FILTER_COMBINATIONS} combinations.`;
  return { ...commaSeparated(name, description, rules, example), 'x-lenient': true };
}

/** A query parameter occurs once, with all values: `color=red,blue`. SPEC §4.1 */
function commaSeparated(name: string, description: string, schema: JsonSchema, example: unknown): ParameterObject {
  const list = { type: 'array', minItems: 1, ...schema };
  const sentence = `${description} Several are separated by commas.`;
  return { ...query(name, sentence, list, [example]), style: 'form', explode: false };
}

function tags(name: string, description: string): ParameterObject {
  const schema = { type: 'string', maxLength: MAX_TAGS_LENGTH };
  return header(name, { description, schema, example: '"1lqk2v8w0-0"', 'x-lenient': true });
}

function header(name: string, rest: Omit<ParameterObject, 'name' | 'in' | 'required'>): ParameterObject {
  return { name, in: 'header', required: false, ...rest };
}

function query(name: string, description: string, schema: JsonSchema, example: unknown): ParameterObject {
  return { name, in: 'query', required: false, description, schema, example };
}

function integer(maximum: number): JsonSchema {
  return { type: 'integer', format: 'int64', minimum: 1, maximum };
}
