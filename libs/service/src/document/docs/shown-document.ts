import type { OpenApiDocument } from '../openapi-document.js';
import type { OpenApiOptions } from '../openapi-options.js';
import { mapped, partOf, rebuilt, type Part } from '../published/part.js';
import { clientSample, firstSamples } from './client-sample.js';
import { quickStart } from './markup.js';

/** Adds first steps, and sample code for `@items/client`, to the document of the page. */
export function shownDocument(whole: OpenApiDocument, published: Part, options: OpenApiOptions): Part {
  const document = withPlainTypes(published);
  const paths = mapped(partOf(document['paths']), (item, path) =>
    mapped(partOf(item), (operation, method) => {
      const source = clientSample(whole, path, method);
      const samples = [{ lang: 'JavaScript', label: '@items/client', source }];
      return source === undefined ? operation : { ...partOf(operation), 'x-codeSamples': samples };
    }),
  );
  const shown = partOf(rebuilt({ ...document, paths }, (part) => withLinks(withoutTrialValue(part))));
  const info = {
    ...partOf(published['info']),
    description: introduction(whole, options),
    'x-scalar-sdk-installation': firstSamples(whole),
  };
  return { ...shown, info };
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
 * The page (Scalar) fills in examples and defaults of optional parameters, and would send them with every request that
 * a reader tries: parameters of both paging styles, an invented entity tag, always the same idempotency key, the first
 * value of an enum. So the examples move into the description.
 */
function withoutTrialValue(part: Part): Part {
  if (!('in' in part) || part['required'] === true) return part;
  const { example, schema, description = '', ...parameter } = part;
  const { default: _, examples: __, enum: values = [], ...type } = partOf(schema);
  const examples = [...(example === undefined ? [] : [example]), ...(values as readonly unknown[])];
  const shown = [...new Set(examples)].map((value) => `\`${String(value)}\``).join(', ');
  const text = shown === '' ? description : `${String(description)} Example: ${shown}`;
  return { ...parameter, description: text, schema: type };
}

/** Inlines shared schemas except objects and alternatives, so that Scalar shows `string` instead of a name. */
function withPlainTypes(document: Part): Part {
  const components = partOf(document['components']);
  const schemas = partOf(components['schemas']);
  const plain = new Map(
    Object.entries(schemas).flatMap(([name, schema]) =>
      isPlain(partOf(schema)) ? [[`#/components/schemas/${name}`, partOf(schema)]] : [],
    ),
  );
  const inlined = (value: unknown): unknown =>
    rebuilt(value, (part) => {
      const { $ref: reference, ...rest } = part;
      const schema = plain.get(String(reference));
      return schema === undefined ? part : { ...partOf(inlined(schema)), ...rest };
    });
  const named = Object.fromEntries(Object.entries(schemas).filter(([, schema]) => !isPlain(partOf(schema))));
  return partOf(inlined({ ...document, components: { ...components, schemas: named } }));
}

function isPlain(schema: Part): boolean {
  return !('properties' in schema) && !('oneOf' in schema);
}

const RFC_URL = 'https://www.rfc-editor.org/rfc/rfc';

/** Links the RFCs and sections that a description names. */
function withLinks(part: Part): Part {
  const { description } = part;
  return typeof description === 'string' ? { ...part, description: linked(description) } : part;
}

function linked(text: string): string {
  return text.replaceAll(/\bRFC (\d+)((?:,? §[\d.]*\d)*)/g, (_, number: string, sections: string) => {
    const links = sections.replaceAll(/§([\d.]*\d)/g, `[§$1](${RFC_URL}${number}#section-$1)`);
    return `[RFC ${number}](${RFC_URL}${number})${links}`;
  });
}
