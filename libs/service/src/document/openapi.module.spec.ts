import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defineCollection } from '../data/definition/define-collection.js';
import { UnauthorizedError } from '@items/conventions';
import { Integer, Optional, Sortable, Text } from '@items/fields';
import { collectionRoutes } from '../http/nest/collection-routes.js';
import { ConventionsModule } from '../http/nest/conventions.module.js';
import { createApp, type ServedApp } from '../http/nest/create-app.js';
import { databaseUnavailable } from '../data/database/database-unavailable.js';
import { Schema } from '../data/schema/schema.js';
import { HttpClient, OpenApiValidator } from '@items/testing';
import { Controller, Get, Module } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';

import { Operation } from './description/operation.js';
import { openApiDocument } from './build/build-document.js';
import type { OpenApiDocument, ResponseObject } from './openapi-document.js';
import { OpenApiModule } from './openapi.module.js';
import type { HandlerRoute, RouteAccess } from './route.js';
import { ServedDocument } from './served/served-document.js';

class BookDto {
  @Sortable()
  @Text({ min: 1, max: 200, example: 'Emma' })
  title!: string;

  @Sortable()
  @Optional()
  @Integer({ min: 0, max: 9999 })
  year!: number | null;
}

const books = defineCollection({ name: 'books', singular: 'book', dto: BookDto, sortableTimes: [] });
const booksRoutes = collectionRoutes(books, { path: 'books' });

class CreateBooks1800000000000 {
  async up(runner: QueryRunner): Promise<void> {
    const { text, int } = new Schema(runner);
    await new Schema(runner).createCollection({
      table: 'books',
      columns: [`title ${text} NOT NULL`, `year ${int}`],
      sortable: [{ column: 'title' }, { column: 'year', nullable: true }],
      filters: [],
    });
  }
}

const info = { title: 'Books', version: '1.0.0' };
const folder = mkdtempSync(join(tmpdir(), 'items-openapi-lib-'));
const database = { dialect: 'sqlite', file: `${folder}/books.sqlite` } as const;

@Module({
  imports: [
    ConventionsModule.forRoot({ database, migrations: [CreateBooks1800000000000] }),
    ConventionsModule.forFeature(books),
    OpenApiModule.forRoot({ info }),
  ],
  providers: [booksRoutes],
})
class BooksModule {}

describe('The document of a service that only has a title', () => {
  let served: ServedApp;
  let client: HttpClient;
  let document: ServedDocument;
  beforeAll(async () => {
    served = await createApp(BooksModule, { logger: false });
    await served.app.listen(0, '127.0.0.1');
    client = new HttpClient({ baseUrl: await served.app.getUrl() });
    document = served.app.get(ServedDocument, { strict: false });
  });
  afterAll(async () => {
    await served.app.close();
    rmSync(folder, { recursive: true });
  });

  it('is served at /openapi.json, and /docs shows it', async () => {
    expect((await client.get('/openapi.json')).json()).toEqual(JSON.parse(document.body.bytes.toString()));
    const { text } = await client.get('/docs');
    expect(text).toContain('<code>/books/{id}</code>');
    const [, reference = ''] = /data-reference="([^"]+)"/.exec(text) ?? [];
    const shown = (await client.get(`/${reference}`)).json() as OpenApiDocument;
    expect(Object.keys(shown.paths)).toEqual(Object.keys(document.document.paths));
  });

  it('has the routes of the collection, those of the document itself, and no others', () => {
    const operations = Object.entries(document.document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => /^[a-z]+$/.test(method) && method !== 'parameters')
        .map((method) => `${method} ${path}`),
    );
    expect(operations).toEqual([
      'get /books',
      'post /books',
      'get /books/{id}',
      'put /books/{id}',
      'delete /books/{id}',
      'get /docs',
      'get /docs/{asset}',
      'get /openapi.json',
    ]);
  });

  it('has no credential, no quota and no version, because there are none', () => {
    const text = JSON.stringify(document.document);
    expect(document.document.security).toEqual([]);
    expect(document.document.components.securitySchemes).toEqual({});
    expect(text).not.toMatch(/X-RateLimit|Api-Version|"401"|"403"|"429"/);
  });

  it('describes the response to every request', async () => {
    const validator = new OpenApiValidator(document.document);
    const problems: string[] = [];
    const watched = client.withOptions({ observers: [(exchange) => problems.push(...validator.problems(exchange))] });
    const first = await watched.post('/books', { title: 'Emma', year: 1815 }, ['Idempotency-Key', 'once']);
    const path = first.header('location') ?? '';
    const etag: [string, string] = ['If-Match', first.header('etag') ?? ''];
    const answers = [
      await watched.post('/books', { title: 'Emma', year: 1815 }, ['Idempotency-Key', 'once']),
      await watched.post('/books', { title: 'Other' }, ['Idempotency-Key', 'once']),
      await watched.post('/books', { title: '', pages: 3 }),
      await watched.get('/books?sort=-year&page=1&per_page=5'),
      await watched.get('/books?limit=1'),
      await watched.get('/books?colour=red'),
      await watched.get('/books?limit=1&cursor=x'),
      await watched.get(path, ['If-None-Match', '*']),
      await watched.head(path),
      await watched.put(path, { title: 'Emma' }, etag),
      await watched.put(path, { title: 'Emma' }, etag),
      await watched.get(path, ['If-Match', 'x']),
      await watched.delete(path),
      await watched.get(path),
      await watched.send('PATCH', path),
      await watched.send('OPTIONS', '/books'),
      await watched.get('/docs'),
      await watched.get('/docs/nothing'),
      await watched.get('/nothing'),
    ];
    expect(problems).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual([
      201, 422, 422, 200, 200, 400, 400, 304, 200, 200, 412, 400, 204, 404, 405, 204, 200, 404, 404,
    ]);
  });
});

describe('The document of an app whose routes differ from their decorators', () => {
  @Module({ imports: [OpenApiModule.forRoot({ info })] })
  class DocumentedModule {}

  it.each<[string, (app: ServedApp['app']) => unknown]>([
    ['setGlobalPrefix()', (app) => app.setGlobalPrefix('v1')],
    ['enableVersioning()', (app) => app.enableVersioning()],
  ])('stops the start: %s', async (name, change) => {
    const { app } = await createApp(DocumentedModule, { logger: false });
    change(app);
    await expect(app.listen(0, '127.0.0.1')).rejects.toThrow(`${name} changes the paths of routes`);
    await app.close();
  });
});

describe('Access rules of an application', () => {
  const access = ({ method, path }: HandlerRoute): RouteAccess => {
    if (method === 'get') return { security: [], counted: false, errors: [] };
    const errors = [new UnauthorizedError('Say who you are.', ['Bearer'])];
    const sentence = `Changes ${path}.`;
    return { sentence, scope: 'write', security: [{ token: ['write'] }], counted: true, errors };
  };
  const securitySchemes = { token: { type: 'http', scheme: 'bearer' } };
  const document = openApiDocument([booksRoutes], { info, securitySchemes, access, versions: ['2', '1'] });
  const operation = (method: string) => document.paths['/books']?.[method];

  it('appear in the operations, including errors', () => {
    expect(operation('post')).toMatchObject({
      description: 'Changes /books.',
      security: [{ token: ['write'] }],
      'x-required-scope': 'write',
    });
    expect(Object.keys(operation('post')?.responses ?? {})).toContain('401');
    expect(operation('get')?.security).toEqual([]);
    expect(Object.keys(operation('get')?.responses ?? {})).not.toContain('401');
    expect(document.security).toEqual([{ token: [] }]);
  });

  it('puts the headers of quotas and versions where they are sent', () => {
    const created = (operation('post')?.responses['201'] ?? {}) as ResponseObject;
    const listed = (operation('get')?.responses['200'] ?? {}) as ResponseObject;
    expect(created.headers).toHaveProperty('X-RateLimit-Limit');
    expect(listed.headers).not.toHaveProperty('X-RateLimit-Limit');
    expect(document.components.headers['ApiVersion']).toMatchObject({
      schema: { type: 'string', enum: ['2', '1'] },
      example: '2',
    });
  });

  it('replaces descriptions, and adds headers', () => {
    const headers = { Location: { example: '/shelf/1' } };
    const { components } = openApiDocument([booksRoutes], { info, headers });
    expect(components.headers['Location']).toMatchObject({
      description: 'Path of what was created.',
      example: '/shelf/1',
    });
  });

  it('lists an error once, even if both the collection and the access rule have it', () => {
    const unavailable = (route: HandlerRoute): RouteAccess => ({ ...access(route), errors: [databaseUnavailable()] });
    for (const given of [access, unavailable]) {
      const { components } = openApiDocument([booksRoutes], { info, access: given });
      const examples = Object.values(components.responses).map(
        ({ content }) => content?.['application/json']?.examples,
      );
      const names = examples.flatMap((each) => Object.keys(each ?? {})).filter((name) => /^database/.test(name));
      expect(new Set(names)).toEqual(new Set(['database_unavailable']));
    }
  });

  it('gives input and output different names', () => {
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Book', 'BookInput']));
  });

  it('must not give two schemas one name', () => {
    class ShelvesController {
      @Get('shelves')
      @Operation({ tag: 'Shelves', summary: 'All', ending: 'plain', schemas: { Book: { type: 'string' } } })
      get(): void {}
    }
    Controller()(ShelvesController);
    expect(() => openApiDocument([booksRoutes, ShelvesController], { info })).toThrow(
      'Two different schemas are called Book.',
    );
  });

  it('must describe unknown headers', () => {
    class ProbesController {
      @Get('probes')
      @Operation({ tag: 'Probes', summary: 'Probe', ending: 'plain', headers: { 'X-Probe': 'always' } })
      get(): void {}
    }
    Controller()(ProbesController);
    expect(() => openApiDocument([ProbesController], { info })).toThrow('The header X-Probe is not described.');
    const headers = { 'X-Probe': { description: 'A probe.', schema: { type: 'string' }, example: 'x' } };
    expect(openApiDocument([ProbesController], { info, headers }).components.headers).toHaveProperty('XProbe');
  });
});
