import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDatabase, providePostgres } from '@items/testing';

import type { Dialect } from './size/tables.ts';

export async function provideDatabase(dialect: Dialect) {
  if (dialect === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
    return { url: `sqlite:${join(folder, 'items.sqlite')}`, drop: async () => rmSync(folder, { recursive: true }) };
  }
  const server = await providePostgres();
  if (server.url === undefined) throw new Error(server.note);
  const created = await createDatabase(server.url);
  return {
    url: created.url,
    drop: async () => {
      await created.drop();
      await server.stop();
    },
  };
}
