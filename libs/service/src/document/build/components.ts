import type { JsonSchema } from '@items/fields';

import { freeName, pascalCase } from '../component-names.js';
import type { OpenApiOptions } from '../openapi-options.js';
import type { Named, OpenApiDocument, Reference } from '../openapi-document.js';

type All = Omit<OpenApiDocument['components'], 'securitySchemes'>;

class Shelf<Kind extends keyof All, T = All[Kind][string]> {
  readonly entries: Record<string, T> = {};
  private readonly references = new Map<string, Reference>();
  private readonly taken = new Set<string>();

  constructor(private readonly kind: Kind) {}

  /** @param otherwise Suffix of the name if a different component already has it. */
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
    // Ignores case: client generators write a file for each name, and some file systems ignore case.
    const isTaken = (each: string): boolean => this.taken.has(each.toLowerCase());
    const free = isTaken(name) ? freeName(name + pascalCase(otherwise), isTaken) : name;
    this.taken.add(free.toLowerCase());
    return free;
  }
}

export class Components {
  readonly schemas = new Shelf('schemas');
  readonly responses = new Shelf('responses');
  readonly headers = new Shelf('headers');
  readonly parameters = new Shelf('parameters');
  readonly examples = new Shelf('examples');
  /** Cache of header references. Key: presence and the name as in the description, such as `always ETag`. */
  readonly headerRefs = new Map<string, readonly [name: string, reference: Reference]>();
  readonly codes = new Set<string>();
  /** Whether a rule of a collection may throw errors with undeclared codes. */
  hasOpenCodes = false;

  constructor(readonly api: OpenApiOptions) {}

  /** @throws {Error} A different schema has the same name. */
  putSchemas(schemas: Readonly<Record<string, JsonSchema>>): void {
    for (const [name, schema] of Object.entries(schemas)) {
      const { $ref } = this.schemas.put(name, schema, name);
      if (!$ref.endsWith(`/${name}`)) throw new Error(`Two different schemas are called ${name}.`);
    }
  }

  /** Sorts components by name, so that a change to a route does not reorder them. */
  toJSON(): All {
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
