import type { OpenApiDocument } from '../openapi-document.js';
import type { OpenApiOptions } from '../openapi-options.js';
import { mapped, partOf, type Part } from '../published/part.js';
import { clientSample } from './client-sample.js';
import { quickStart } from './quick-start.js';

/**
 * Returns the document for the page: with first steps, and sample code for `@items/client`.
 * @param whole document with examples. @param published served document.
 */
export function shownDocument(whole: OpenApiDocument, published: Part, options: OpenApiOptions): Part {
  const paths = mapped(partOf(published['paths']), (item, path) =>
    mapped(partOf(item), (operation, method) => {
      const source = clientSample(whole, path, method);
      const samples = [{ lang: 'JavaScript', label: '@items/client', source }];
      return source === undefined ? operation : { ...partOf(operation), 'x-codeSamples': samples };
    }),
  );
  const info = { ...partOf(published['info']), description: introduction(whole, options) };
  return withoutUnasked({ ...published, info, paths }) as Part;
}

function introduction({ info }: OpenApiDocument, { quickStart: steps = [], versionNotes }: OpenApiOptions): string {
  const notes = versionNotes === undefined ? '' : ` · [What this version changed](docs/versions/${info.version})`;
  return [
    `[OpenAPI 3.1 document](openapi.json)${notes}`,
    ...(steps.length === 0 ? [] : ['## Quick start', quickStart(steps)]),
    ...(info.description === undefined ? [] : ['## Conventions', info.description]),
  ].join('\n\n');
}

/**
 * Removes examples and defaults of optional parameters: Scalar would send all of them with every trial, including both
 * styles of paging.
 */
function withoutUnasked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnasked);
  if (typeof value !== 'object' || value === null) return value;
  const part = mapped(value as Part, withoutUnasked);
  if (part['required'] !== false || !('in' in part)) return part;
  const { example: _, schema, ...parameter } = part;
  const { default: __, ...kind } = partOf(schema);
  return { ...parameter, schema: kind };
}
