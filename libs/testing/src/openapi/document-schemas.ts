import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';

import type { Located, OpenApiDocument } from './openapi-document.js';

/** Checks a value against a schema of the document. @returns problems, each prefixed by `what`. */
export type SchemaCheck = (schema: Located<unknown>, value: unknown, what: string) => string[];

const FORMATS = {
  'date-time':
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  double: true,
  int32: true,
  int64: true,
  uri: /^[a-z][a-z0-9+.-]*:/i,
  'uri-reference': /^\S*$/,
  // RFC 9562 §4: upper or lower case.
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
} as const;

const DOCUMENT = 'openapi';

/** Compiles schemas in place, so that their references resolve. JSON Schema 2020-12 */
export function documentSchemas(document: OpenApiDocument): SchemaCheck {
  // Not strict, because most of the document is no schema. Throws on warnings, so that no unknown format goes
  // unchecked.
  const logger = { log: fail, warn: fail, error: fail };
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: FORMATS, logger });
  // Trims a value before its check, as the service does.
  ajv.addKeyword({
    keyword: 'x-trimmed',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    validate: (_schema: boolean, text: string, _parent?: object, context?: DataValidationCxt) => {
      const holder: Record<string, unknown> | undefined = context?.parentData;
      if (holder !== undefined) holder[String(context?.parentDataProperty)] = text.trim();
      return true;
    },
  });
  ajv.addSchema(document, DOCUMENT, undefined, false);
  return (schema, value, what) => {
    const validate = ajv.getSchema(`${DOCUMENT}${encodeURI(schema.pointer)}`);
    if (validate === undefined) return [`${what}: no schema at ${schema.pointer}`];
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map((error) => `${what}${error.instancePath} ${error.message ?? error.keyword}`);
  };
}

function fail(...words: readonly unknown[]): never {
  throw new Error(`The document's schemas: ${words.map(String).join(' ')}`);
}
