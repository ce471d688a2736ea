import { eventMigrations } from '../feed/event-migrations.js';
import type { DatabaseSchema } from '../data/database/database-options.js';
import { webhookMigrations } from '../webhooks/definition/webhook-migrations.js';

import type { Composition } from './composition/composition.js';
import { migrations } from './migrations/index.js';

/** Migrations run in the order of the times in their names. */
export function schemaOf({
  modules,
  migrations: further = [],
  name,
}: Pick<Composition, 'modules' | 'migrations' | 'name'>): DatabaseSchema {
  const own = modules.flatMap((module) => module.migrations);
  const all = [...eventMigrations, ...webhookMigrations, ...migrations, ...own, ...further].sort(
    (one, other) => timeOf(one) - timeOf(other),
  );
  return { migrations: all, ...(name !== undefined && { applicationName: name }) };
}

function timeOf({ name }: DatabaseSchema['migrations'][number]): number {
  return Number(name.slice(-13));
}
