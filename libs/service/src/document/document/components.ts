import type { JsonSchema } from '@items/fields';

import { pascalCase } from '../component-names.js';
import type { OpenApiOptions } from '../openapi-options.js';
import type { HeaderObject, Named, ParameterObject, Reference, ResponseObject } from '../openapi-document.js';

export interface ExampleObject {
  readonly summary: string;
  readonly value: unknown;
}

class Shelf<T> {
  readonly entries: Record<string, T> = {};
  private readonly references = new Map<string, Reference>();
  private readonly taken = new Set<string>();

  constructor(private readonly kind: string) {}

  /** @param otherwise Suffix if another component has the name. */
  put(suggested: string, value: T, otherwise: string): Reference {
    const name = pascalCase(suggested);
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
    const longer = name + pascalCase(otherwise);
    let free = this.isTaken(name) ? longer : name;
    for (let number = 2; this.isTaken(free); number += 1) free = longer + String(number);
    this.taken.add(free.toLowerCase());
    return free;
  }

  /** Ignores case: generated clients have a file for each name. */
  private isTaken(name: string): boolean {
    return this.taken.has(name.toLowerCase());
  }
}

export class Components {
  readonly schemas = new Shelf<JsonSchema>('schemas');
  readonly responses = new Shelf<ResponseObject>('responses');
  readonly headers = new Shelf<HeaderObject>('headers');
  readonly parameters = new Shelf<ParameterObject>('parameters');
  readonly examples = new Shelf<ExampleObject>('examples');
  /** By presence and spelling of the header: `always ETag`. */
  readonly headerRefs = new Map<string, readonly [name: string, reference: Reference]>();
  readonly codes = new Set<string>();
  /** Rules of collections may have codes that are not known. */
  hasOpenCodes = false;

  constructor(readonly api: OpenApiOptions) {}

  /** @throws {Error} Another schema has the name. */
  putSchemas(schemas: Readonly<Record<string, JsonSchema>>): void {
    for (const [name, schema] of Object.entries(schemas)) {
      const { $ref } = this.schemas.put(name, schema, name);
      if (!$ref.endsWith(`/${name}`)) throw new Error(`Two different schemas are called ${name}.`);
    }
  }

  /** Sorted by name, so that a change of one route does not move the others. */
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
