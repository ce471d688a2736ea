import type { JsonSchema } from '@items/fields';

export const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';
export const EXAMPLE_ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

export function exampleOf(schema: JsonSchema): unknown {
  const { examples, properties, items, enum: words } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (properties !== undefined) return exampleObject(properties as Record<string, JsonSchema>);
  if (items !== undefined) return [exampleOf(items as JsonSchema)];
  return Array.isArray(words) ? words[0] : null;
}

function exampleObject(properties: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  const sent = Object.entries(properties).filter(([, schema]) => schema['readOnly'] !== true);
  return Object.fromEntries(sent.map(([name, schema]) => [name, exampleOf(schema)]));
}
