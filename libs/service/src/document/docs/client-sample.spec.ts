import 'reflect-metadata';

import { defineCollection } from '../../data/definition/define-collection.js';
import { Text } from '@items/fields';
import { collectionRoutes } from '../../http/nest/collection-routes.js';

import { openApiDocument } from '../build/build-document.js';
import { clientSample } from './client-sample.js';

class BookDto {
  @Text({ min: 1, max: 200, example: "Emma's" }) title!: string;
}

const routes = collectionRoutes(defineCollection({ name: 'books', singular: 'book', dto: BookDto }), { path: 'books' });
const access = (): { sentence: string; errors: []; security: { key: [] }[]; counted: boolean } => ({
  sentence: '',
  errors: [],
  security: [{ key: [] }],
  counted: false,
});
const info = { title: 'Books', version: '1.0.0' };
const document = openApiDocument([routes], { info, access, baseUrl: 'https://books.example' });
const lastLine = (path: string, method: string): string | undefined => {
  return clientSample(document, path, method)?.split('\n});\n')[1];
};

describe('Code for @items/client', () => {
  it('makes a client of the service, with a key from the environment', () => {
    expect(clientSample(document, '/books', 'get')).toBe(`import { createClient } from '@items/client';

const client = createClient({
  baseUrl: 'https://books.example',
  auth: { apiKey: process.env.ITEMS_KEY },
});
console.log(await client.collection('books').page());`);
  });

  it('calls each operation of a collection, with the examples of the document', () => {
    const id = `'${/get\('([^']+)'\)/.exec(lastLine('/books/{id}', 'get') ?? '')?.[1] ?? ''}'`;
    expect(id.length).toBeGreaterThan(20);
    const input = `{\n  "title": "Emma's"\n}`;
    expect(lastLine('/books', 'post')).toBe(`console.log(await client.collection('books').create(${input}));`);
    expect(lastLine('/books/{id}', 'put')).toBe(
      `console.log(await client.collection('books').replace(${id}, ${input}));`,
    );
    expect(lastLine('/books/{id}', 'delete')).toBe(`console.log(await client.collection('books').delete(${id}));`);
  });

  it('is omitted for unknown operations, and for those without a credential', () => {
    expect(clientSample(document, '/books', 'put')).toBeUndefined();
    expect(clientSample(document, '/books', 'parameters')).toBeUndefined();
    expect(clientSample(openApiDocument([routes], { info }), '/books', 'get')).toBeUndefined();
  });
});
