import { MAX_CURSOR_LENGTH, MAX_PAGE_SIZE } from '@items/conventions';
import { shownSchemaOf, type DtoClass, type JsonSchema } from '@items/fields';

import { EXAMPLE_ID, EXAMPLE_TIME } from './example.js';

export type Fields = Readonly<Record<string, JsonSchema>>;

interface ResourceRules {
  readonly dto: DtoClass;
  readonly immutable: boolean;
}

export const ID: JsonSchema = {
  type: 'string',
  format: 'uuid',
  maxLength: 36,
  description: 'UUIDv7, made by the service.',
  examples: [EXAMPLE_ID],
};

export const TIME: JsonSchema = {
  type: 'string',
  format: 'date-time',
  maxLength: 24,
  description: 'RFC 3339, UTC, milliseconds.',
  examples: [EXAMPLE_TIME],
};

export const NEXT_CURSOR: JsonSchema = {
  type: 'string',
  maxLength: MAX_CURSOR_LENGTH,
  description: 'Opaque; absent on the last page.',
  examples: ['AQx5c29ydA'],
};

/**
 * Schema of a resource in responses: fields of its class, `id`, `created_at` and `updated_at`. It contains no `$ref`,
 * because Fastify builds a serialiser from it.
 */
export function resourceSchema(dto: DtoClass): JsonSchema {
  const fields = shownSchemaOf(dto)['properties'] as Fields;
  return closed({ id: ID, ...fields, created_at: TIME, updated_at: TIME });
}

export function resourceSchemaOf({ dto, immutable }: ResourceRules): JsonSchema {
  const whole = resourceSchema(dto);
  const { updated_at: _, ...others } = whole['properties'] as Fields;
  return immutable ? closed(others) : whole;
}

export function extended(resource: JsonSchema, extra: Fields, isAlwaysThere = true): JsonSchema {
  const all = { ...(resource['properties'] as Fields), ...extra };
  return isAlwaysThere ? closed(all) : closed(all, resource['required'] as string[]);
}

export function offsetPageSchema(name: string, row: JsonSchema, max = MAX_PAGE_SIZE): JsonSchema {
  return closed({
    [name]: rows(row, max),
    page: count(1, 'Number of the page.', 1),
    per_page: count(1, 'Rows a page, as they were served.', 20, max),
    total: count(0, 'Exact number of rows that match.', 1),
  });
}

export function cursorPageSchema(name: string, row: JsonSchema, max = MAX_PAGE_SIZE): JsonSchema {
  const limit = count(1, 'Rows a page, as they were served.', 20, max);
  return closed({ [name]: rows(row, max), limit, next_cursor: NEXT_CURSOR }, [name, 'limit']);
}

/** One schema for pages of both styles instead of `oneOf`, which slows serialisers down. */
export function anyPageSchema(name: string, row: JsonSchema): JsonSchema {
  const [offset, cursor] = [offsetPageSchema(name, row), cursorPageSchema(name, row)];
  return closed({ ...(offset['properties'] as Fields), ...(cursor['properties'] as Fields) }, [name]);
}

export function rows(row: JsonSchema, max: number): JsonSchema {
  return { type: 'array', maxItems: max, items: row };
}

export function count(
  minimum: number,
  description: string,
  example: number,
  maximum = Number.MAX_SAFE_INTEGER,
): JsonSchema {
  return { type: 'integer', format: 'int64', minimum, maximum, description, examples: [example] };
}

export function closed(properties: Fields, required = Object.keys(properties)): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
