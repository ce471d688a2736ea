import { setTimeout as sleep } from 'node:timers/promises';
import { Outage } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { codeOf } from '../database/error-codes.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';
import { ReadOnlyServerError } from '../database/postgres-hosts.js';
import { PendingMigrationsError } from './pending-migrations.js';

const RETRY_MS = 1000;
/** Codes of temporary errors, for example while the server starts or DNS does not know its name. */
const TEMPORARY_CODES = /^(08|53300$|57P0|ECONN|ETIMEDOUT$|EHOST|ENET|EPIPE$|EAI_AGAIN$|ENOTFOUND$)/;
const NO_CONNECTION = /timeout exceeded when trying to connect|Connection terminated/;
const MIGRATION_WORDS = {
  begins: 'has pending migrations',
  continues: 'still has pending migrations',
  ends: 'has no pending migrations',
};

/**
 * Opens a database as soon as its server is reachable.
 * @param open Called every second until it succeeds.
 * @throws A permanent error of `open`, such as a wrong password.
 */
export function whenReachable<T>(open: () => Promise<T>, log: StoreLog): Promise<T> {
  const outage = new Outage(log, 'The database', '; the start waits for it');
  return retryUntilOpen(open, outage, (error) =>
    isTemporaryFailure(error instanceof DatabaseNotOpenedError ? error.cause : error),
  );
}

export async function whenMigrated<T>(open: () => Promise<T>, log: StoreLog, retryMs = RETRY_MS): Promise<T> {
  const outage = new Outage(log, 'The database', '; the start waits, live and not ready', MIGRATION_WORDS);
  const opened = await retryUntilOpen(open, outage, (error) => error instanceof PendingMigrationsError, retryMs);
  if (outage.isOn) log.info({}, 'The database is migrated: the start continues');
  return opened;
}

async function retryUntilOpen<T>(
  open: () => Promise<T>,
  outage: Outage,
  isTemporary: (error: unknown) => boolean,
  retryMs = RETRY_MS,
): Promise<T> {
  try {
    for (;;) {
      try {
        return await open();
      } catch (error) {
        if (!isTemporary(error)) throw error;
        outage.fail(error);
        await sleep(retryMs);
      }
    }
  } finally {
    outage.stop();
  }
}

function isTemporaryFailure(cause: unknown): boolean {
  if (cause instanceof ReadOnlyServerError || TEMPORARY_CODES.test(codeOf(cause))) return true;
  return codeOf(cause) === '' && cause instanceof Error && NO_CONNECTION.test(cause.message);
}
