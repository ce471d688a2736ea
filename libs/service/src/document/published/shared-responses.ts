import { isPart, mapped, partOf, type Part } from './part.js';

/** Of the errors of one status. */
const MAX_EXAMPLES = 4;

/** A response, and the status with which it is answered. */
export type Answer = readonly [status: string, response: Part];

interface Shared {
  readonly name: string;
  readonly status: string;
  readonly response: Part;
  readonly uses: number;
}

/**
 * Responses that several operations have. Of each status of an error and each form of its body there is one, with the codes
 * of all operations.
 */
export class SharedResponses {
  private readonly known = new Map<string, Shared>();
  private readonly counts = new Map<string, number>();

  constructor(answers: readonly Answer[]) {
    for (const [status, response] of answers) this.add(status, response);
  }

  /** A reference to it, or the response itself where no other operation has it. */
  shared([status, response]: Answer): Part {
    const known = this.known.get(keyOf(status, response));
    return known !== undefined && isShared(known) ? { $ref: `#/components/responses/${known.name}` } : response;
  }

  /** By name: the status, with a number where there are several. */
  components(): Part {
    const all = [...this.known.values()].filter(isShared);
    return Object.fromEntries(all.map(({ name, response }) => [name, withFewExamples(response)] as const));
  }

  private add(status: string, response: Part): void {
    const key = keyOf(status, response);
    const known = this.known.get(key);
    if (known === undefined) {
      const count = (this.counts.get(status) ?? 0) + 1;
      this.counts.set(status, count);
      const name = count === 1 ? status : `${status}.${String(count)}`;
      this.known.set(key, { name, status, response: isError(status) ? joined(response, {}) : response, uses: 1 });
      return;
    }
    const merged = isError(status) ? joined(known.response, response) : known.response;
    this.known.set(key, { ...known, response: merged, uses: known.uses + 1 });
  }
}

function isShared({ status, uses }: Shared): boolean {
  return isError(status) || uses > 1;
}

function isError(status: string): boolean {
  return status >= '400';
}

/** What tells responses apart: of an error, its status and the form of its body. */
function keyOf(status: string, response: Part): string {
  if (!isError(status)) return `${status} ${JSON.stringify(response)}`;
  const forms = mapped(partOf(response['content']), (media) =>
    isCoded(partOf(media)) ? 'code' : partOf(media)['schema'],
  );
  return `${status} ${JSON.stringify(forms)}`;
}

/** Whether the body is that of SPEC §7. */
function isCoded({ schema }: Part): boolean {
  return isPart(schema) && 'allOf' in schema;
}

/** What either of two errors of the same status and form may have. */
function joined(one: Part, other: Part): Part {
  const content = mapped(partOf(one['content']), (media, type) => {
    const [a, b] = [partOf(media), partOf(partOf(other['content'])[type])];
    const examples = { ...partOf(b['examples']), ...partOf(a['examples']) };
    return isCoded(a) ? { schema: codedBody(Object.values(examples)), examples } : { ...a, examples };
  });
  const headers = { ...partOf(other['headers']), ...partOf(one['headers']) };
  return { ...one, ...(Object.keys(headers).length > 0 && { headers }), content };
}

/** The codes of all errors stand in the schema; examples show what a body looks like. */
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
