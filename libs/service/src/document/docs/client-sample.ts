import type { OpenApiDocument, OperationObject, ParameterObject } from '../openapi-document.js';

/** @returns sample code; undefined if the operation belongs to no collection, or needs no credential. */
export function clientSample(document: OpenApiDocument, path: string, method: string): string | undefined {
  const operation = document.paths[path]?.[method];
  if (operation === undefined || !('operationId' in operation) || operation.security.length === 0) return undefined;
  const last = path.slice(path.lastIndexOf('/') + 1);
  const call = callOf(method, last.startsWith('{'), jsonExample(operation));
  if (call === undefined) return undefined;
  const values = pathExamples(document, path, operation);
  const filled = path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? name);
  const collection = last.startsWith('{') ? filled.slice(0, filled.lastIndexOf('/')) : filled;
  const id = filled.slice(filled.lastIndexOf('/') + 1);
  return `import { createClient } from '@items/client';

const client = createClient({
  baseUrl: '${document.servers[0].url}',
  auth: { apiKey: process.env.ITEMS_KEY },
});
console.log(await client.collection('${collection}').${call.replace('ID', `'${id}'`)});`;
}

function callOf(method: string, one: boolean, body: string | undefined): string | undefined {
  if (method === 'get') return one ? 'get(ID)' : 'page()';
  if (method === 'delete') return one ? 'delete(ID)' : undefined;
  if (method === 'put') return one && body !== undefined ? `replace(ID, ${body})` : undefined;
  return one || body === undefined ? undefined : `create(${body})`;
}

function jsonExample({ requestBody }: OperationObject): string | undefined {
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  return example === undefined || '$ref' in example ? undefined : JSON.stringify(example.value, undefined, 2);
}

function pathExamples(
  { paths, components }: OpenApiDocument,
  path: string,
  operation: OperationObject,
): Map<string, string> {
  const parameters = [...(paths[path]?.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
    '$ref' in each ? components.parameters[each.$ref.slice(each.$ref.lastIndexOf('/') + 1)] : each,
  );
  const inPath = parameters.filter((each): each is ParameterObject => each?.in === 'path');
  return new Map(inPath.map(({ name, example }) => [name, String(example)]));
}

interface FirstSample {
  readonly lang: string;
  readonly description: string;
  readonly source: string;
}

/** Returns samples for the first list that needs a credential. */
export function firstSamples(document: OpenApiDocument): readonly FirstSample[] {
  const tags = document.tags.map(({ name }) => name);
  const rank = (path: string): number => tags.indexOf(document.paths[path]?.['get']?.tags[0] ?? '');
  const lists = Object.keys(document.paths).filter(
    (path) => !path.includes('{') && clientSample(document, path, 'get') !== undefined,
  );
  const [path] = lists.sort((one, other) => rank(one) - rank(other));
  if (path === undefined) return [];
  const [{ url }] = document.servers;
  const address = `${url.replace(/\/$/, '')}${path}`;
  return [
    { lang: 'curl', description: 'In a shell:', source: `curl -H "X-API-Key: $ITEMS_KEY" ${address}` },
    {
      lang: '@items/client',
      description: 'After `npm install @items/client`:',
      source: clientSample(document, path, 'get') ?? '',
    },
    {
      lang: 'Python',
      description: 'After `pip install requests`:',
      source: `import os
import requests

response = requests.get(
    "${address}",
    headers={"X-API-Key": os.environ["ITEMS_KEY"]},
)
print(response.json())`,
    },
  ];
}
