import { Database } from '@items/service/store';
import { onBothDatabases } from '@items/testing';

import { items } from './items/item.collection.js';
import { orders } from './orders/order.collection.js';
import { transitions } from './orders/transition.collection.js';
import { startOn } from './upgrades/upgraded-service.testing.js';

const COLLECTIONS = [items, orders, transitions];
const COLUMNS = {
  sqlite: (table: string) => `SELECT name, "notnull" = 0 AS nullable FROM pragma_table_info('${table}')`,
  postgres: (table: string) => `SELECT column_name AS name, is_nullable = 'YES' AS nullable
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '${table}'`,
};

onBothDatabases(
  'The migrations of this service',
  async (config) => {
    const { app, stop } = await startOn(config);
    return { database: app.get(Database), close: stop };
  },
  (under) => {
    const lines = (columns: readonly { readonly name: string; readonly nullable: unknown }[]): string[] =>
      columns.map(({ name, nullable }) => `${name}${nullable === true || nullable === 1 ? '?' : ''}`).sort();

    it.each(COLLECTIONS)('create the columns in the definition of $name', async ({ name, columns }) => {
      const { database } = under.database;
      const table = await database.query<{ name: string; nullable: unknown }>(COLUMNS[under.config.dialect](name));
      expect(lines(table)).toEqual(lines(columns));
    });
  },
);

it.each(COLLECTIONS)('a standby may serve reads of $name, which grant no access', ({ onlyFromPrimary }) => {
  expect(onlyFromPrimary).not.toBe(true);
});
