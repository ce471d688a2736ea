import { createHash } from 'node:crypto';

import { Sqlite } from '../../../../libs/service/dist/data/sqlite/sqlite.js';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { ItemEntity, KeyEntity } from './item.entity.js';

/** What `@nestjs/typeorm` would provide as `getRepositoryToken(ItemEntity)`. */
export const ITEMS = Symbol('items');
/** The same for the keys. */
export const KEYS = Symbol('keys');

/** The repositories of one connection to a file that has the items already. */
export function repositoriesOf(file: string): Provider[] {
  const source = new DataSource({
    type: 'better-sqlite3',
    driver: Sqlite,
    database: file,
    entities: [ItemEntity, KeyEntity],
    prepareDatabase: (connection: Sqlite) => {
      connection.pragma('journal_mode = WAL');
      connection.pragma('synchronous = FULL');
      connection.pragma('cache_size = -65536');
    },
  });
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
