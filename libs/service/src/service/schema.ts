import { eventMigrations } from '../feed/event-migrations.js';
import type { DatabaseSchema } from '../data/database/database-options.js';
import { webhookMigrations } from '../webhooks/definition/webhook-migrations.js';

import type { Composition } from './composition/composition.js';
import { migrations } from './migrations/index.js';

type Migrations = DatabaseSchema['migrations'];

/** Every table of a service. Its migrations run in the order of the times in their names. */
export function schemaOf({
  modules,
  migrations: further = [],
}: Pick<Composition, 'modules' | 'migrations'>): DatabaseSchema {
  const own = modules.flatMap((module) => module.migrations);
  return { migrations: [...eventMigrations, ...webhookMigrations, ...migrations, ...own, ...further].sort(byTime) };
}

function byTime(one: Migrations[number], other: Migrations[number]): number {
  return timeOf(one) - timeOf(other);
}

/** Milliseconds since the epoch. */
function timeOf({ name }: Migrations[number]): number {
  return Number(name.slice(-13));
}
