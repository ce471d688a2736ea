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

/**
 * Schema of a resource in responses: all fields of its class, and those that every resource has. It contains no
 * references, because Fastify's serialiser is made of the same object.
 */
export function resourceSchema(dto: DtoClass): JsonSchema {
  const fields = shownSchemaOf(dto)['properties'] as Fields;
  return closed({ id: ID, ...fields, created_at: TIME, updated_at: TIME });
}

export function withoutUpdatedAt(resource: JsonSchema): JsonSchema {
  const { updated_at: _, ...fields } = resource['properties'] as Fields;
  return closed(fields);
}

export function resourceSchemaOf({ dto, immutable }: ResourceRules): JsonSchema {
  const whole = resourceSchema(dto);
  return immutable ? withoutUpdatedAt(whole) : whole;
}

export function extended(resource: JsonSchema, extra: Fields, isAlwaysThere = true): JsonSchema {
  const whole = closed({ ...(resource['properties'] as Fields), ...extra });
  return isAlwaysThere ? whole : { ...whole, required: resource['required'] };
}

export function offsetPageSchema(name: string, row: JsonSchema, max = MAX_PAGE_SIZE): JsonSchema {
  return closed({
    [name]: rows(row, max),
    page: count(1, 'Number of the page.', 1),
    per_page: { ...count(1, 'Rows a page, as they were served.', 20), maximum: max },
    total: count(0, 'Exact number of rows that match.', 1),
  });
}

export function cursorPageSchema(name: string, row: JsonSchema, max = MAX_PAGE_SIZE): JsonSchema {
  const properties = {
    [name]: rows(row, max),
    limit: { ...count(1, 'Rows a page, as they were served.', 20), maximum: max },
    next_cursor: {
      type: 'string',
      maxLength: MAX_CURSOR_LENGTH,
      description: 'Opaque; absent on the last page.',
      examples: ['AQx5c29ydA'],
    },
  };
  return { ...closed(properties), required: [name, 'limit'] };
}

/** One schema for pages of both styles, without alternatives, because serialisers are fast with that. */
export function anyPageSchema(name: string, row: JsonSchema): JsonSchema {
  const [offset, cursor] = [offsetPageSchema(name, row), cursorPageSchema(name, row)];
  const properties = { ...(offset['properties'] as Fields), ...(cursor['properties'] as Fields) };
  return { ...closed(properties), required: [name] };
}

function rows(row: JsonSchema, max: number): JsonSchema {
  return { type: 'array', maxItems: max, items: row };
}

function count(minimum: number, description: string, example: number): JsonSchema {
  const maximum = Number.MAX_SAFE_INTEGER;
  return { type: 'integer', format: 'int64', minimum, maximum, description, examples: [example] };
}

export function closed(properties: Fields): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
