import type { JsonSchema } from '@items/fields';

/** A time as the service shows it. */
export const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';
/** An id as the service makes it. */
export const EXAMPLE_ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

/** A value that fits a schema: the example that it gives, or one made of the examples within. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, properties, items, enum: words } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (properties !== undefined) return exampleObject(properties as Record<string, JsonSchema>);
  if (items !== undefined) return [exampleOf(items as JsonSchema)];
  return Array.isArray(words) ? words[0] : null;
}

/** Without what a client does not send. */
function exampleObject(properties: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  const sent = Object.entries(properties).filter(([, schema]) => schema['readOnly'] !== true);
  return Object.fromEntries(sent.map(([name, schema]) => [name, exampleOf(schema)]));
}
