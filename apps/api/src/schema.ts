import { eventMigrations } from '@items/events';
import type { DatabaseSchema } from '@items/store';
import { webhookMigrations } from '@items/webhooks';

import * as collections from './collection-modules.js';
import { migrations } from './migrations/index.js';

type Migrations = DatabaseSchema['migrations'];

const modules: readonly { readonly migrations: Migrations }[] = Object.values(collections);

/** Every table of the service. Its migrations run in the order of the times in their names. */
export const schema: DatabaseSchema = {
  migrations: [
    ...eventMigrations,
    ...webhookMigrations,
    ...migrations,
    ...modules.flatMap((collection) => collection.migrations),
  ].sort(byTime),
};

function byTime(one: Migrations[number], other: Migrations[number]): number {
  return timeOf(one) - timeOf(other);
}

/** Milliseconds since the epoch. */
function timeOf({ name }: Migrations[number]): number {
  return Number(name.slice(-13));
}
