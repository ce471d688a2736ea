import { listOf, partOf, partsOf, resolved, type Part } from './resolved.js';
import { schemaDifferences, schemaOfPart, type Direction } from './schema-differences.js';

/** Both describe the same version of the API. */
interface Documents {
  readonly released: Part;
  readonly served: Part;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Header whose list of values grows with each version. */
const VERSION_HEADER = 'Api-Version';

/**
 * Returns the differences of the served document that a client of the released one would notice: what §9 calls
 * breaking, as far as documents show it. New paths, optional inputs, fields, headers and codes do not count.
 * @param released, served OpenAPI documents as parsed JSON.
 * @returns sentences such as `GET /items, answer 200: the field color is gone`.
 * @see SPEC §9
 */
export function breakingDifferences(released: unknown, served: unknown): string[] {
  const documents = { released: partOf(released), served: partOf(served) };
  const [was, is] = [partOf(documents.released['paths']), partOf(documents.served['paths'])];
  return [
    ...webhookDifferences(documents),
    ...Object.entries(was).flatMap(([path, item]) => {
      const other = is[path];
      return METHODS.flatMap((method) => {
        const before = partOf(item)[method];
        if (before === undefined) return [];
        const name = `${method.toUpperCase()} ${path}`;
        const now = partOf(other)[method];
        if (now === undefined) return [`${name} is gone`];
        const at = (where: string, differences: readonly string[]): string[] =>
          differences.map((difference) => `${name}${where}: ${difference}`);
        return [
          ...at('', scopeDifferences(partOf(before), partOf(now))),
          ...at('', parameterDifferences([partOf(item), partOf(before)], [partOf(other), partOf(now)], documents)),
          ...at(
            ', body',
            bodyDifferences(partOf(before)['requestBody'], partOf(now)['requestBody'], documents, 'sent'),
          ),
          ...answersDifferences(partOf(before), partOf(now), documents, at),
        ];
      });
    }),
  ];
}

/** Receivers read the bodies of webhooks as clients read responses. */
function webhookDifferences(documents: Documents): string[] {
  const is = partOf(documents.served['webhooks']);
  const bodyOf = (item: unknown): unknown => partOf(partOf(item)['post'])['requestBody'];
  return Object.entries(partOf(documents.released['webhooks'])).flatMap(([kind, item]) => {
    const other = is[kind];
    if (other === undefined) return [`the event ${kind} is gone`];
    const differences = bodyDifferences(bodyOf(item), bodyOf(other), documents, 'read');
    return differences.map((difference) => `the event ${kind}: ${difference}`);
  });
}

/** Every credential that was sufficient must remain so. */
function scopeDifferences(before: Part, now: Part): string[] {
  const sets = partsOf(now['security']);
  const isEnough = (credential: Part): boolean =>
    sets.length === 0 ||
    sets.some((set) =>
      Object.entries(set).every(
        ([scheme, scopes]) =>
          scheme in credential && listOf(scopes).every((scope) => listOf(credential[scheme]).includes(scope)),
      ),
    );
  const was = partsOf(before['security']);
  if (was.length === 0) return sets.length === 0 ? [] : ['a credential is needed now'];
  return was.every(isEnough) ? [] : ['another scope or credential is needed now'];
}

function parameterDifferences(before: readonly Part[], now: readonly Part[], documents: Documents): string[] {
  const [was, is] = [parametersOf(before, documents.released), parametersOf(now, documents.served)];
  const kept = [...was].flatMap(([name, released]) => {
    const served = is.get(name);
    if (served === undefined) return [`the parameter ${name} is gone`];
    const narrower =
      served['required'] === true && released['required'] !== true ? [`the parameter ${name} is newly required`] : [];
    if (name === `header ${VERSION_HEADER}`) return narrower;
    const pair = {
      released: schemaOfPart({ document: documents.released, part: released }),
      served: schemaOfPart({ document: documents.served, part: served }),
    };
    return [...narrower, ...schemaDifferences(pair, 'sent', `the parameter ${name}`)];
  });
  const added = [...is].filter(([name, { required }]) => required === true && !was.has(name));
  return [...kept, ...added.map(([name]) => `the parameter ${name} is newly required`)];
}

function parametersOf(owners: readonly Part[], document: Part): ReadonlyMap<string, Part> {
  const all = owners.flatMap((owner) => partsOf(owner['parameters'])).map((part) => resolved({ document, part }));
  return new Map(all.map((part) => [`${String(part['in'])} ${String(part['name'])}`, part]));
}

function bodyDifferences(
  before: unknown,
  now: unknown,
  { released, served }: Documents,
  direction: Direction,
): string[] {
  const [was, is] = [partOf(before), partOf(now)];
  const [types, known] = [partOf(was['content']), partOf(is['content'])];
  const isNew = direction === 'sent' && before === undefined && is['required'] === true;
  const within = Object.entries(types).flatMap(([type, content]) => {
    const other = known[type];
    if (other === undefined) return [`${type} is gone`];
    const pair = {
      released: schemaOfPart({ document: released, part: partOf(content) }),
      served: schemaOfPart({ document: served, part: partOf(other) }),
    };
    return schemaDifferences(pair, direction, '');
  });
  return isNew ? ['a body is newly required'] : within;
}

function answersDifferences(
  before: Part,
  now: Part,
  documents: Documents,
  at: (where: string, differences: readonly string[]) => string[],
): string[] {
  const [was, is] = [partOf(before['responses']), partOf(now['responses'])];
  const isGood = (status: string): boolean => status.startsWith('2');
  const added = Object.keys(is).filter((status) => isGood(status) && !(status in was));
  return [
    ...at(
      '',
      added.map((status) => `it can now be answered ${status}`),
    ),
    ...Object.entries(was).flatMap(([status, answer]) => {
      const other = is[status];
      if (other === undefined) return at('', [`it is no longer answered ${status}`]);
      const released = resolved({ document: documents.released, part: partOf(answer) });
      const served = resolved({ document: documents.served, part: partOf(other) });
      const body = isGood(status)
        ? bodyDifferences(released, served, documents, 'read')
        : codeDifferences(released, served);
      return at(`, answer ${status}`, [...headerDifferences(released, served, documents), ...body]);
    }),
  ];
}

function headerDifferences(before: Part, now: Part, documents: Documents): string[] {
  const is = partOf(now['headers']);
  return Object.entries(partOf(before['headers'])).flatMap(([name, header]) => {
    const other = is[name];
    if (other === undefined) return [`the header ${name} is gone`];
    const released = { document: documents.released, part: partOf(header) };
    const served = { document: documents.served, part: partOf(other) };
    const isRarer = resolved(released)['required'] === true && resolved(served)['required'] !== true;
    if (isRarer) return [`the header ${name} may now be left out`];
    if (name === VERSION_HEADER) return [];
    return schemaDifferences(
      { released: schemaOfPart(released), served: schemaOfPart(served) },
      'read',
      `the header ${name}`,
    );
  });
}

/** Errors have an example for each code. */
function codeDifferences(before: Part, now: Part): string[] {
  const is = partOf(now['content']);
  return Object.entries(partOf(before['content'])).flatMap(([type, content]) => {
    const [was, known] = [partOf(partOf(content)['examples']), partOf(partOf(is[type])['examples'])];
    if (is[type] === undefined) return [`${type} is gone`];
    return Object.keys(was)
      .filter((code) => !(code in known))
      .map((code) => `the code ${code} is gone`);
  });
}
