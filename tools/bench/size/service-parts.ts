import { createHmac } from 'node:crypto';
import { pathToFileURL } from 'node:url';

import { workspacePath } from '../../workspace/root.ts';
import type { Place } from './scenarios.ts';

const SECRET = 'the-secret-of-the-benchmark-by-size';
const mac = (bytes: Uint8Array) => createHmac('sha256', SECRET).update(bytes).digest();

type Config = { dialect: 'sqlite'; file: string } | { dialect: 'postgres'; url: string };

/** Imported dynamically, because packages do not export the types of these modules. */
const built = (path: string) => import(pathToFileURL(workspacePath(path)).href);

/** Opens the built service without HTTP, to measure only the SQL of a page. */
export async function openService(config: Config) {
  const { openDatabase } = await built('libs/service/dist/data/opening/open-database.js');
  const { schemaOf } = await built('libs/service/dist/service/schema.js');
  const { compositionOf } = await built('libs/service/dist/service/process/composition-of.js');
  const { AppModule } = await built('apps/api/dist/app.module.js');
  const { CollectionReader } = await built('libs/service/dist/data/collections/collection-reader.js');
  const { RowStore } = await built('libs/service/dist/data/writes/row-store.js');
  const { Totals } = await built('libs/service/dist/data/lists/totals.js');
  const { sealOf } = await built('libs/service/dist/data/lists/cursors.js');
  const { items } = await built('apps/api/dist/items/item.collection.js');
  const database = await openDatabase(config, schemaOf((await compositionOf(AppModule)).composition));
  const columns = items.columns;
  const totals = new Totals('items', items.countedFilters);
  return {
    database,
    store: new RowStore(database, items, totals),
    reader: new CollectionReader(database, items, columns, totals, {
      seals: [sealOf(SECRET)],
      ttlMs: 86_400_000,
    }),
  };
}

/** Environment of a service over HTTP, so that it accepts the cursors of `openService`. */
export const cursorEnv = { CURSOR_SECRET: SECRET, CURSOR_TTL: '86400' };

/** Returns a cursor of the same walk that continues after another row. */
export function cursorAt(cursor: string, { key, id }: Place) {
  const bytes = Buffer.from(cursor, 'base64url');
  const [fingerprint, issuedAtMs, clocks, , , epoch] = JSON.parse(bytes.subarray(16).toString());
  const payload = Buffer.from(JSON.stringify([fingerprint, issuedAtMs, clocks, key, id, epoch]));
  return Buffer.concat([mac(payload).subarray(0, 16), payload]).toString('base64url');
}
