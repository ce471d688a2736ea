import { inputSchema, outputSchema, plainSchema, resolved } from './schemas.js';

/* Tools for the collections of an OpenAPI document of `@items/service`. */

const USER = 'user_id';
const isSuccess = ([status]) => status.startsWith('2');

/**
 * @param document the OpenAPI document.
 * @param client a client of `@items/client`.
 * @param options `writes`: if true, includes tools that write. `mayRead`: tests if the key may read a collection.
 * @returns a map from the name of a tool to its description for hosts (`shown`) and its function (`run`).
 */
export async function toolsOf(document, client, { writes, mayRead }) {
  const lists = Object.keys(document.paths).filter((path) => isReadByScope(document.paths[path]));
  const isNested = (path) => namesIn(path).some((name) => name !== USER);
  const readable = [];
  for (const path of lists.filter((each) => !isNested(each)))
    if (await mayRead(client.collection(addressOf(path, {})))) readable.push(path);
  const below = lists.filter((path) => isNested(path) && readable.some((parent) => path.startsWith(`${parent}/`)));
  const tools = [...readable, ...below].flatMap((path) => toolsOfCollection(document, client, path, writes));
  return new Map(tools.map((tool) => [tool.shown.name, tool]));
}

/** Excludes credentials and webhooks: their scopes do not end with `:read`. */
function isReadByScope({ get }) {
  const scopes = (get?.security ?? []).flatMap(Object.values).flat();
  return get?.operationId?.startsWith('list') === true && scopes.some((scope) => scope.endsWith(':read'));
}

function toolsOfCollection(document, client, path, writes) {
  const item = document.paths[path];
  const member = document.paths[`${path}/{id}`] ?? {};
  const at = (input) => client.collection(addressOf(path, input));
  const make = (operation, kind, properties, required, run) =>
    operation && toolOf(document, path, operation, kind, { properties, required, run });
  const id = { id: { type: 'string', description: 'Its id.' } };
  const reads = [
    make(item.get, 'reads', queryOf(document, item), [], (input, { signal }) =>
      at(input).page(without(input, namesIn(path)), { signal }),
    ),
    make(member.get, 'reads', id, ['id'], (input, { signal }) => at(input).get(idIn(input), { signal })),
  ];
  const bodyOf = (operation) => inputSchema(document, resolved(document, operation?.requestBody));
  const created = bodyOf(item.post);
  const replaced = bodyOf(member.put);
  const changes = [
    make(item.post, 'creates', created?.properties, created?.required, (input, options) =>
      at(input).create(bodyFrom(without(input, namesIn(path)), created), options),
    ),
    make(
      member.put,
      'writes',
      { ...id, ...replaced?.properties },
      ['id', ...(replaced?.required ?? [])],
      (input, { signal }) =>
        at(input).replace(idIn(input), bodyFrom(without(input, ['id', ...namesIn(path)]), replaced), { signal }),
    ),
    make(member.delete, 'writes', id, ['id'], async (input, { signal }) => {
      await at(input).delete(idIn(input), { signal });
      return { deleted: input.id };
    }),
  ];
  return [...reads, ...(writes ? changes : [])].filter((tool) => tool !== undefined);
}

function toolOf(document, path, operation, kind, { properties, required = [], run }) {
  const parents = namesIn(path).filter((name) => !Object.hasOwn(properties, name));
  const given = parents.map((name) => [name, { type: 'string', description: parentText(name) }]);
  const success = Object.entries(operation.responses).find(isSuccess)?.[1];
  const output = outputSchema(document, resolved(document, success));
  const shown = {
    // `listItems` becomes `list_items`.
    name: operation.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    description: [operation.summary, operation.description].filter(Boolean).join('. '),
    inputSchema: {
      type: 'object',
      properties: { ...Object.fromEntries(given), ...properties },
      required: [...parents.filter((name) => name !== USER), ...required],
    },
    outputSchema: output ?? { type: 'object', properties: { deleted: { type: 'string' } }, required: ['deleted'] },
    annotations: {
      readOnlyHint: kind === 'reads',
      ...(kind !== 'reads' && { destructiveHint: kind === 'writes', idempotentHint: kind === 'writes' }),
    },
  };
  return { shown, run };
}

/** Returns the query parameters. A list of values may also be one text: `red,blue`. */
function queryOf(document, { get: { parameters: own = [] }, parameters = [] }) {
  const all = [...parameters, ...own].map((parameter) => resolved(document, parameter));
  return Object.fromEntries(
    all
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, description, schema }) => {
        const plain = plainSchema(document, schema);
        const one = plain.type === 'array' ? { anyOf: [plain, { type: 'string' }] } : plain;
        return [name, { ...one, description }];
      }),
  );
}

/** Models sometimes send a list as text: `"[{…}]"`. Other texts stay unchanged, and the service rejects them. */
function bodyFrom(input, schema) {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' && schema?.properties?.[name]?.type === 'array' ? listIn(value) : value,
    ]),
  );
}

function listIn(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}

/** Returns the names of the parameters of a path: `user_id` for `/users/{user_id}/orders`. */
function namesIn(path) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

function addressOf(path, input) {
  return path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name) => {
    if (name !== USER) return idIn(input, name);
    return input[USER] ?? 'me';
  });
}

function idIn(input, name = 'id') {
  if (typeof input[name] === 'string' && input[name] !== '') return input[name];
  throw new Error(`"${name}" is required.`);
}

function parentText(name) {
  return name === USER
    ? 'A user, for administrators. Default: the user of the key.'
    : `Its ${name.replace(/_id$/, '')}.`;
}

function without(input, names) {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
