import { STATUS_CODES } from 'node:http';

import { named, pascalCase } from '../component-names.js';
import { isPart, mapped, partOf, type Part } from './part.js';

/** One example per error status is enough, since the schema lists all codes. */
const MAX_EXAMPLES = 1;

export type StatusResponse = readonly [status: string, response: Part];

interface Shared {
  readonly status: string;
  readonly response: Part;
  readonly uses: number;
}

/** One response for each error status and body format, with the codes of all operations. */
export class SharedResponses {
  private readonly known = new Map<string, Shared>();
  private readonly names: ReadonlyMap<string, string>;

  constructor(responses: readonly StatusResponse[]) {
    for (const [status, response] of responses) this.add(status, response);
    const shared = [...this.known].filter(([, { status, uses }]) => isError(status) || uses > 1);
    this.names = named(
      shared.map(([key, each]) => ({ thing: key, names: namesOf(each) })),
      (key) => key,
    );
  }

  shared([status, response]: StatusResponse): Part {
    const name = this.names.get(keyOf(status, response));
    return name === undefined ? response : { $ref: `#/components/responses/${name}` };
  }

  components(): Part {
    const all = [...this.names].map(
      ([key, name]) => [name, withFewExamples(partOf(this.known.get(key)?.response))] as const,
    );
    return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private add(status: string, response: Part): void {
    const key = keyOf(status, response);
    const { response: known, uses = 0 } = this.known.get(key) ?? {};
    const joint = isError(status) ? joined(known ?? response, known === undefined ? {} : response) : response;
    this.known.set(key, { status, response: joint, uses: uses + 1 });
  }
}

/**
 * Candidate names: `BadRequest`, `BadRequestPage` (HTML), `NotFoundUncounted` (routes without a quota), `ItemCreated`.
 */
function namesOf({ status, response }: Shared): string[] {
  const [type, media] = Object.entries(partOf(response['content']))[0] ?? [];
  const form = formOf(type, partOf(partOf(media)['schema']));
  if (isError(status)) {
    const name = pascalCase(STATUS_CODES[Number(status)] ?? status) + form.replace(/Error$/, '');
    return [isCounted(response) ? name : `${name}Uncounted`];
  }
  const short = form + pascalCase(STATUS_CODES[Number(status)] ?? status);
  const headers = Object.keys(partOf(response['headers'])).filter((name) => !name.startsWith('X-RateLimit'));
  return [short, short + pascalCase(String(response['description'])), short + headers.map(pascalCase).join('')];
}

/** The name of a body's schema, or `Page` for HTML. Empty for the common errors, and without a body. */
function formOf(type: string | undefined, schema: Part): string {
  if (type === undefined || 'allOf' in schema) return '';
  if (type === 'text/html') return 'Page';
  const schemas = [schema, ...((schema['oneOf'] ?? []) as readonly Part[])];
  const reference = schemas.map((each) => each['$ref']).find((each) => typeof each === 'string') ?? type;
  return pascalCase(reference.split('/').at(-1) ?? '');
}

function isError(status: string): boolean {
  return status >= '400';
}

function isCounted({ headers }: Part): boolean {
  return 'X-RateLimit-Limit' in partOf(headers);
}

/** Error responses are shared if they have the same status and body format, and both or neither have quota headers. */
function keyOf(status: string, response: Part): string {
  if (!isError(status)) return `${status} ${JSON.stringify(response)}`;
  const forms = mapped(partOf(response['content']), (media) =>
    isCoded(partOf(media)) ? 'code' : partOf(media)['schema'],
  );
  return `${status} ${JSON.stringify(forms)} ${String(isCounted(response))}`;
}

/** Whether the body is the common error of SPEC §7. */
function isCoded({ schema }: Part): boolean {
  return isPart(schema) && 'allOf' in schema;
}

function joined(one: Part, other: Part): Part {
  const content = mapped(partOf(one['content']), (media, type) => {
    const [a, b] = [partOf(media), partOf(partOf(other['content'])[type])];
    const examples = { ...partOf(b['examples']), ...partOf(a['examples']) };
    return isCoded(a) ? { schema: codedBody(Object.values(examples)), examples } : { ...a, examples };
  });
  const [own, others] = [partOf(one['headers']), partOf(other['headers'])];
  const headers = { ...others, ...mapped(own, (header, name) => earlier(header, others[name] ?? header)) };
  return { ...one, ...(Object.keys(headers).length > 0 && { headers }), content };
}

/** Returns the header whose JSON sorts first, so that the order of responses does not matter. */
function earlier(one: unknown, other: unknown): unknown {
  return JSON.stringify(other) < JSON.stringify(one) ? other : one;
}

function withFewExamples(response: Part): Part {
  const { content } = response;
  if (!isPart(content)) return response;
  const few = mapped(content, (media) => {
    const { examples, ...rest } = partOf(media);
    if (!isPart(examples)) return rest;
    return { ...rest, examples: Object.fromEntries(Object.entries(examples).slice(0, MAX_EXAMPLES)) };
  });
  return { ...response, content: few };
}

function codedBody(examples: readonly unknown[]): Part {
  const codes = new Set(examples.map((example) => partOf(partOf(example)['value'])['code']));
  return { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: [...codes].sort() } } }] };
}
