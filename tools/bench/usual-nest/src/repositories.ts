import { createHash } from 'node:crypto';

import { Sqlite } from '../../../../libs/service/dist/data/sqlite/sqlite.js';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { ItemEntity, KeyEntity } from './item.entity.js';

/** Provider tokens, like `getRepositoryToken()` of `@nestjs/typeorm`. */
export const ITEMS = Symbol('items');
export const KEYS = Symbol('keys');

const sqlite = {
  type: 'better-sqlite3',
  driver: Sqlite,
  prepareDatabase: (connection: Sqlite) => {
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('cache_size = -65536');
  },
} as const;

/** Provides the repositories of a connection to a seeded database. */
export function repositoriesOf(database: string): Provider[] {
  const entities = [ItemEntity, KeyEntity];
  const source = database.startsWith('postgres')
    ? new DataSource({ type: 'postgres', url: database, entities, parseInt8: true })
    : new DataSource({ ...sqlite, database, entities });
  return [
    {
      provide: DataSource,
      useFactory: async () => {
        await source.initialize();
        const hash = createHash('sha256').update('usual-key').digest('hex');
        await source.query('CREATE TABLE IF NOT EXISTS usual_keys (hash text PRIMARY KEY)');
        await source.getRepository(KeyEntity).save({ hash });
        return source;
      },
    },
    { provide: ITEMS, useFactory: () => source.getRepository(ItemEntity), inject: [DataSource] },
    { provide: KEYS, useFactory: () => source.getRepository(KeyEntity), inject: [DataSource] },
  ];
}
