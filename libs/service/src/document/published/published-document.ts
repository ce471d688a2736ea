import { GENERAL_HEADERS, RATE_LIMIT } from '../build/headers.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { isPart, mapped, nameIn, type Part, partOf, rebuilt } from './part.js';
import { withSharedParameters } from './shared-parameters.js';
import { type StatusResponse, SharedResponses } from './shared-responses.js';
import { withSharedSchemas, withTypes } from './shared-schemas.js';

/** Omitted errors: HTTP itself causes them before any operation. */
const OF_HTTP = new Set(['408', '417', '431']);

const PUBLISHED_EXTENSIONS = ['x-reached-by', 'x-currency', 'x-references'];

/**
 * Reduces a document to its served form, with repeated parts as shared components:
 * - no extensions (`x-…`) for tests, and no `required: false`, the default;
 * - one response per error status, with the codes of all operations; no errors of HTTP itself (408, 417, 431);
 * - no headers that the introduction describes, except quota headers: the limit on errors, and all on 429;
 * - examples of fields and of some errors of each status, but not of whole bodies;
 * - no empty list of parameters;
 * - a type for each schema, which some client generators need.
 * @see ADR 76
 */
export function publishedDocument(document: OpenApiDocument): Part {
  const whole = withTypes(withoutExtensions(document as unknown as Part));
  const components = partOf(whole['components']);
  const briefed = ([status, response]: StatusResponse): StatusResponse => {
    const resolved = '$ref' in response ? partOf(partOf(components['responses'])[nameIn(response)]) : response;
    return [status, briefResponse(resolved, status, partOf(components['examples']))];
  };
  const shared = new SharedResponses(operationsOf(whole).flatMap((operation) => responsesOf(operation).map(briefed)));
  const paths = mapped(partOf(whole['paths']), (item) =>
    parametersAtPath(
      mapped(partOf(item), (member) => {
        if (!isOperation(member)) return member;
        const responses = responsesOf(member).map(briefed);
        return {
          ...withoutExample(member),
          responses: Object.fromEntries(responses.map((each) => [each[0], shared.shared(each)])),
        };
      }),
    ),
  );
  const webhooks = mapped(partOf(whole['webhooks']), (item) =>
    mapped(partOf(item), (member) => (isOperation(member) ? withoutExample(member) : member)),
  );
  const brief = { ...whole, paths, webhooks, components: { ...components, responses: shared.components() } };
  return withUsedComponents(withSharedSchemas(withSharedParameters(withUsedComponents(brief))));
}

function withoutExtensions(document: Part): Part {
  const isOwn = ([name, value]: readonly [string, unknown]): boolean =>
    (!name.startsWith('x-') || PUBLISHED_EXTENSIONS.includes(name)) && !(name === 'required' && value === false);
  const own = (part: Part): Part => Object.fromEntries(Object.entries(part).filter(isOwn));
  return partOf(rebuilt(document, own));
}

function isOperation(member: unknown): member is Part {
  return isPart(member) && 'responses' in member;
}

function operationsOf(document: Part): Part[] {
  return Object.values(partOf(document['paths'])).flatMap((item) => Object.values(partOf(item)).filter(isOperation));
}

function responsesOf(operation: Part): StatusResponse[] {
  const all = Object.entries(partOf(operation['responses']));
  return all.filter(([status]) => !OF_HTTP.has(status)).map(([status, response]) => [status, partOf(response)]);
}

/** Removes examples of the request body, because its fields have examples. */
function withoutExample(operation: Part): Part {
  const { requestBody, ...rest } = operation;
  if (!isPart(requestBody)) return operation;
  const content = mapped(partOf(requestBody['content']), (media) => {
    const { examples: _, ...own } = partOf(media);
    return own;
  });
  return { ...rest, requestBody: { ...requestBody, content } };
}

/** Moves parameters that all operations of a path share to the path. */
function parametersAtPath(item: Part): Part {
  const operations = Object.values(item).filter(isOperation);
  const lists = operations.map((operation) => parametersOf(operation).map((each) => JSON.stringify(each)));
  const [first = []] = lists;
  const common = new Set(first.filter((text) => lists.every((list) => list.includes(text))));
  const own = mapped(item, (member) => {
    if (!isOperation(member)) return member;
    return withParameters(
      member,
      parametersOf(member).filter((each) => !common.has(JSON.stringify(each))),
    );
  });
  const parameters = [...parametersOf(item), ...[...common].map((text) => JSON.parse(text) as unknown)];
  return parameters.length > 0 ? { ...own, parameters } : own;
}

function parametersOf({ parameters = [] }: Part): readonly unknown[] {
  return parameters as readonly unknown[];
}

function withParameters({ parameters: _, ...rest }: Part, parameters: readonly unknown[]): Part {
  return parameters.length > 0 ? { ...rest, parameters } : rest;
}

function withUsedComponents(document: Part): Part {
  const { components: all, ...rest } = document;
  const components = partOf(all);
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) follow(each);
    if (!isPart(value)) return;
    const { $ref: reference, ...members } = value;
    follow(Object.values(members));
    if (typeof reference !== 'string' || used.has(reference)) return;
    used.add(reference);
    const [kind = '', name = ''] = reference.split('/').slice(2);
    follow(partOf(components[kind])[name]);
  };
  follow(rest);
  const kept = mapped(components, (entries, kind) =>
    kind === 'securitySchemes' ? entries : keptOf(partOf(entries), (name) => used.has(`#/components/${kind}/${name}`)),
  );
  return { ...rest, components: keptOf(kept, (kind) => Object.keys(partOf(kept[kind])).length > 0) };
}

function keptOf(part: Part, isKept: (name: string) => boolean): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => isKept(name)));
}

/** Omitted headers: the introduction of the document covers them. */
const GENERAL = new Set([...GENERAL_HEADERS, 'Referrer-Policy', 'X-Frame-Options']);
/** To keep the document short, only 429 lists all quota headers. The introduction describes them. */
const [LIMIT, ...QUOTA] = RATE_LIMIT;
const USED_UP = '429';

/**
 * Removes common headers. Removes examples of success bodies, because their fields have examples.
 * @param examples Components that examples refer to.
 */
function briefResponse(response: Part, status: string, examples: Part): Part {
  const { headers, content, ...rest } = response;
  const own = Object.entries(partOf(headers)).filter(
    ([name]) =>
      !GENERAL.has(name) && (status === USED_UP || !QUOTA.includes(name)) && (status >= '400' || name !== LIMIT),
  );
  return {
    ...rest,
    ...(own.length > 0 && { headers: Object.fromEntries(own) }),
    ...(content !== undefined && {
      content: mapped(partOf(content), (media) => briefMedia(partOf(media), status, examples)),
    }),
  };
}

function briefMedia(media: Part, status: string, examples: Part): Part {
  const { examples: given, ...rest } = media;
  if (status < '400') return rest;
  return { ...rest, examples: mapped(partOf(given), (example) => ({ value: valueOf(partOf(example), examples) })) };
}

function valueOf(example: Part, examples: Part): unknown {
  return partOf('$ref' in example ? examples[nameIn(example)] : example)['value'];
}
