import type { JsonSchema } from '@items/fields';

import type { Content } from '../openapi-document.js';
import { exampleOf } from './example.js';
import { schemaRef } from './media-types.js';
import type { OperationDescription } from './operation.js';
import { cursorPageSchema, offsetPageSchema } from './resource-schemas.js';

/**
 * Describes the pages of a list, in both styles. SPEC §4
 * @param list Name of the array: `api_keys`.
 * @param schema Schema name of one member: `ApiKey`.
 * @param resource Schema of one member.
 * @param max Maximum rows per page. Default: 100.
 */
export function listContent(
  list: string,
  schema: string,
  resource: JsonSchema,
  max?: number,
): Pick<OperationDescription, 'content' | 'schemas'> {
  const row = schemaRef(schema);
  const rows = { [list]: [exampleOf(resource)] };
  const offset = `${schema}OffsetPage`;
  const cursor = `${schema}CursorPage`;
  const content: Content = {
    'application/json': {
      schema: { oneOf: [schemaRef(offset), schemaRef(cursor)] },
      examples: {
        offset: { summary: 'Offset style', value: { ...rows, page: 1, per_page: 20, total: 1 } },
        cursor: { summary: 'Cursor style', value: { ...rows, limit: 20, next_cursor: 'AQx5c29ydA' } },
        last: { summary: 'Cursor style, last page', value: { ...rows, limit: 20 } },
      },
    },
  };
  const schemas = {
    [offset]: offsetPageSchema(list, row, max),
    [cursor]: cursorPageSchema(list, row, max),
    [schema]: resource,
  };
  return { content, schemas };
}
