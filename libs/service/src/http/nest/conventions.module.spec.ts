import 'reflect-metadata';

import { defineCollection } from '../../data/definition/define-collection.js';
import { Integer, Optional, Text } from '@items/fields';
import { openDatabase } from '../../data/opening/open-database.js';
import { Schema } from '../../data/schema/schema.js';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import { onBothDatabases } from '@items/testing';
import { Module } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';

import { collectionRoutes } from './collection-routes.js';
import { ConventionsModule } from './conventions.module.js';
import { createApp } from './create-app.js';

class BookDto {
  @Text({ min: 1, max: 200 })
  title!: string;
}

class RankedBookDto extends BookDto {
  @Optional()
  @Integer({ min: 0, max: 9 })
  rank!: number | null;
}

class CreateBooks1800000000000 {
  readonly name = 'CreateBooks1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const sortable = [{ column: 'created_at' }, { column: 'updated_at' }];
    await schema.createCollection({
      table: 'books',
      columns: [`title ${schema.text} NOT NULL`],
      sortable,
      filters: [],
    });
  }
}

class RankBooks1800000000001 {
  readonly name = 'RankBooks1800000000001';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.addColumns('books', `rank ${schema.int}`);
  }
}

const before = { migrations: [CreateBooks1800000000000] };

onBothDatabases(
  'A field that is added to a collection later',
  (config) => openDatabase(config, before),
  (under) => {
    const opened: { close(): Promise<void> }[] = [];
    afterEach(async () => {
      for (const app of opened.splice(0)) await app.close();
    });

    /** Starts a service with the migrated collection `books`. */
    async function start({ migrations }: DatabaseSchema): Promise<string> {
      const books = defineCollection({ name: 'books', singular: 'book', dto: RankedBookDto });
      @Module({
        imports: [
          ConventionsModule.forRoot({ database: under.config, migrations }),
          ConventionsModule.forFeature(books),
        ],
        providers: [collectionRoutes(books, { path: 'books' })],
      })
      class AppModule {}
      const { app } = await createApp(AppModule, { logger: false });
      opened.push(app);
      await app.listen(0, '127.0.0.1');
      return app.getUrl();
    }

    it('stops the start with one sentence while its migration is missing', async () => {
      await expect(start(before)).rejects.toThrow(
        /^The collection "books" needs books\.rank, books_versions\.rank in the database: add a migration/,
      );
    });

    it('is stored and returned after its migration has added its columns', async () => {
      const url = await start({ migrations: [...before.migrations, RankBooks1800000000001] });
      const headers = { 'content-type': 'application/json' };
      const made = await fetch(`${url}/books`, { method: 'POST', headers, body: '{"title":"Emma","rank":3}' });
      expect([made.status, await made.json()]).toEqual([201, expect.objectContaining({ title: 'Emma', rank: 3 })]);
      const path = made.headers.get('location') ?? '';
      const replaced = await fetch(url + path, { method: 'PUT', headers, body: '{"title":"Emma"}' });
      expect([replaced.status, await replaced.json()]).toEqual([200, expect.objectContaining({ rank: null })]);
    });
  },
);
