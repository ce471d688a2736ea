/* JSON Schemas for tools, from an OpenAPI document. Hosts support neither references nor examples. */

const KEPT = new Set(
  'type enum const format description minimum maximum minLength maxLength minItems maxItems uniqueItems'.split(' '),
);

/** Follows a reference: `{ $ref: '#/components/schemas/Item' }`. */
export function resolved(document, value) {
  if (typeof value?.$ref !== 'string') return value;
  const names = value.$ref.slice(2).split('/');
  return resolved(
    document,
    names.reduce((found, name) => found?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document),
  );
}

/** Returns the schema of a request body, without the fields that the service sets. Undefined if there is no body. */
export function inputSchema(document, body) {
  const schema = resolved(document, body?.content?.['application/json']?.schema);
  return schema && plainSchema(document, schema, 'left out');
}

/** Returns the schema of a response body, or undefined if there is none. */
export function outputSchema(document, body) {
  const schema = body?.content?.['application/json']?.schema;
  return schema && plainSchema(document, schema);
}

export function plainSchema(document, reference, readOnly = 'kept') {
  const schema = resolved(document, reference);
  const within = (value) => plainSchema(document, value, readOnly);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return merged(choices.map(within));
  const kept = Object.fromEntries(Object.entries(schema).filter(([name]) => KEPT.has(name)));
  if (schema.items !== undefined) kept.items = within(schema.items);
  if (schema.properties !== undefined) {
    const properties = Object.entries(schema.properties).filter(
      ([, value]) => readOnly === 'kept' || !resolved(document, value).readOnly,
    );
    kept.properties = Object.fromEntries(properties.map(([name, value]) => [name, within(value)]));
    kept.required = (schema.required ?? []).filter((name) => Object.hasOwn(kept.properties, name));
  }
  return kept;
}

/** Merges the schemas of a page by number and a page by cursor. Properties that only one of them has are optional. */
function merged(choices) {
  if (choices.some(({ properties }) => properties === undefined)) return { anyOf: choices };
  return {
    type: 'object',
    properties: Object.assign({}, ...choices.map(({ properties }) => properties)),
    required: choices[0].required.filter((name) => choices.every(({ required }) => required.includes(name))),
  };
}
