import { setTimeout as sleep } from 'node:timers/promises';

import { Outage } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { PendingMigrationsError } from './pending-migrations.js';

const RETRY_MS = 1000;
const WORDS = {
  begins: 'has pending migrations',
  goesOn: 'still has pending migrations',
  ends: 'has no pending migrations',
};

/** Waits until another process has run the pending migrations. Logs the wait immediately, and then once a minute. */
export async function whenMigrated<T>(open: () => Promise<T>, log: StoreLog, retryMs = RETRY_MS): Promise<T> {
  const say = (fields: object, message: string): void => log.warn(fields, message);
  const outage = new Outage(say, 'The database', '; the start waits, live and not ready', WORDS);
  try {
    for (;;) {
      try {
        const opened = await open();
        if (outage.isOn) log.info({}, 'The database is migrated: the start continues');
        return opened;
      } catch (error) {
        if (!(error instanceof PendingMigrationsError)) throw error;
        outage.fail(error);
        await sleep(retryMs);
      }
    }
  } finally {
    outage.stop();
  }
}
