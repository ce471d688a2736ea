import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defineCollection } from '../../data/definition/define-collection.js';
import type { ParentKeys } from '../../data/definition/parent-keys.js';
import { ResourceNotFoundError } from '@items/conventions';
import { Text } from '@items/fields';
import { Schema } from '../../data/schema/schema.js';
import { Injectable, Module, type Provider } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { QueryRunner } from 'typeorm';

import type { ParentOfRequest } from './collection-pipeline.js';
import { collectionRoutes } from './collection-routes.js';
import { ConventionsModule } from './conventions.module.js';
import { createApp, type ServedApp } from './create-app.js';

class NoteDto {
  @Text({ min: 1, max: 200 })
  text!: string;
}

const notes = defineCollection({ name: 'notes', singular: 'note', dto: NoteDto, parent: 'cat' });
const cats = defineCollection({ name: 'cats', singular: 'cat', dto: NoteDto });

class CreateNotes1800000000000 {
  readonly name = 'CreateNotes1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { text } = schema;
    await schema.createCollection({
      ...{ table: 'notes', parent: 'cat', filters: [] },
      columns: [`cat ${text} NOT NULL`, `text ${text} NOT NULL`],
      sortable: [{ column: 'created_at' }, { column: 'updated_at' }],
    });
  }
}

@Injectable()
class CatOfPath implements ParentOfRequest {
  async keysOf(request: FastifyRequest): Promise<ParentKeys> {
    const { cat = '' } = request.params as Readonly<Record<string, string>>;
    if (!['tom', 'kitty'].includes(cat)) throw new ResourceNotFoundError('cat');
    return { cat };
  }

  keysForNew(request: FastifyRequest): Promise<ParentKeys> {
    return this.keysOf(request);
  }
}

describe('A nested collection by collectionRoutes(), with a parent (SPEC §4)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-nested-'));
  let served: ServedApp;
  let url: string;

  async function start(providers: Provider[]): Promise<ServedApp> {
    const database = { dialect: 'sqlite', file: join(folder, 'notes.sqlite') } as const;
    @Module({
      imports: [
        ConventionsModule.forRoot({ database, migrations: [CreateNotes1800000000000] }),
        ConventionsModule.forFeature(notes),
      ],
      providers: [...providers, collectionRoutes(notes, { path: 'cats/:cat/notes', parent: CatOfPath })],
    })
    class AppModule {}
    return createApp(AppModule, { logger: false });
  }

  beforeAll(async () => {
    served = await start([CatOfPath]);
    await served.app.listen(0, '127.0.0.1');
    url = await served.app.getUrl();
  });
  afterAll(async () => {
    await served.app.close();
    rmSync(folder, { recursive: true });
  });

  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(url + path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

  it('has only the members of the parent that the path names', async () => {
    const made = await ask('POST', '/cats/tom/notes', { text: 'Hungry' });
    expect(made.status).toBe(201);
    const path = made.headers.get('location') ?? '';
    expect(path).toMatch(/^\/cats\/tom\/notes\//);
    const elsewhere = path.replace('tom', 'kitty');
    for (const [method, at, status] of [
      ['GET', elsewhere, 404],
      ['DELETE', elsewhere, 404],
      ['GET', path, 200],
      ['GET', '/cats/rex/notes', 404],
    ] as const) {
      expect([method, at, (await ask(method, at)).status]).toEqual([method, at, status]);
    }
    expect((await ask('PUT', elsewhere, { text: 'Full' })).status).toBe(404);
    expect((await ask('POST', '/cats/rex/notes', { text: 'Lost' })).status).toBe(404);
    const count = async (cat: string): Promise<unknown> =>
      ((await (await ask('GET', `/cats/${cat}/notes?page=1`)).json()) as { total: number }).total;
    expect([await count('tom'), await count('kitty')]).toEqual([1, 0]);
    expect((await ask('PUT', path, { text: 'Full' })).status).toBe(200);
    expect((await ask('DELETE', path)).status).toBe(204);
  });

  it('does not start without the provider that finds the parent', async () => {
    const { app } = await start([]);
    await expect(app.init()).rejects.toThrow('cats/:cat/notes needs the provider CatOfPath');
    await app.close();
  });

  it('is not made if only the definition or only the routes have a parent', () => {
    expect(() => collectionRoutes(notes, { path: 'notes' })).toThrow(/"notes" is nested/);
    expect(() => collectionRoutes(cats, { path: 'cats', parent: CatOfPath })).toThrow(/"cats" is not nested/);
  });
});
