import type { OpenApiDocument } from '../openapi-document.js';
import { clientSample } from './client-sample.js';

export interface FirstSample {
  readonly lang: string;
  readonly description: string;
  readonly source: string;
}

/** Empty if no list needs a credential. */
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
