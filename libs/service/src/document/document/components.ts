import type { JsonSchema } from '@items/fields';

import type { OpenApiOptions } from '../openapi-options.js';
import type { HeaderObject, Named, ParameterObject, Reference, ResponseObject } from '../openapi-document.js';

/** An example among the components. */
export interface ExampleObject {
  readonly summary: string;
  readonly value: unknown;
}

/** Components of one kind; equal ones are kept once. */
class Shelf<T> {
  readonly entries: Record<string, T> = {};
  private readonly references = new Map<string, Reference>();

  constructor(private readonly kind: string) {}

  /**
   * @param name taken where it is free.
   * @param otherwise goes behind the name where something else has it: who asked for it first.
   */
  put(name: string, value: T, otherwise: string): Reference {
    const content = `${name} ${JSON.stringify(value)}`;
    const known = this.references.get(content);
    if (known !== undefined) return known;
    const free = this.freeName(name, otherwise);
    this.entries[free] = value;
    const reference = { $ref: `#/components/${this.kind}/${free}` };
    this.references.set(content, reference);
    return reference;
  }

  private freeName(name: string, otherwise: string): string {
    let free = name in this.entries ? `${name}.${otherwise}` : name;
    for (let number = 2; free in this.entries; number += 1) free = `${name}.${otherwise}.${String(number)}`;
    return free;
  }
}

/** Collects what several operations share while the document of an API is put together. */
export class Components {
  readonly schemas = new Shelf<JsonSchema>('schemas');
  readonly responses = new Shelf<ResponseObject>('responses');
  readonly headers = new Shelf<HeaderObject>('headers');
  readonly parameters = new Shelf<ParameterObject>('parameters');
  readonly examples = new Shelf<ExampleObject>('examples');
  /** The name and the reference of each header that was asked for, by presence and the spelling it was asked for in. */
  readonly headerRefs = new Map<string, readonly [name: string, reference: Reference]>();
  /** Of all errors that are described. */
  readonly codes = new Set<string>();

  constructor(readonly api: OpenApiOptions) {}

  /** Schemas that are referred to by their names. @throws {Error} where another one has the name. */
  putSchemas(schemas: Readonly<Record<string, JsonSchema>>): void {
    for (const [name, schema] of Object.entries(schemas)) {
      const { $ref } = this.schemas.put(name, schema, name);
      if (!$ref.endsWith(`/${name}`)) throw new Error(`Two different schemas are called ${name}.`);
    }
  }

  /** Sorted by name, so that no change of one route moves the others. */
  toJSON(): {
    readonly schemas: Named<JsonSchema>;
    readonly responses: Named<ResponseObject>;
    readonly headers: Named<HeaderObject>;
    readonly parameters: Named<ParameterObject>;
    readonly examples: Named<ExampleObject>;
  } {
    return {
      schemas: sorted(this.schemas.entries),
      responses: sorted(this.responses.entries),
      headers: sorted(this.headers.entries),
      parameters: sorted(this.parameters.entries),
      examples: sorted(this.examples.entries),
    };
  }
}

function sorted<T>(entries: Readonly<Record<string, T>>): Named<T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
