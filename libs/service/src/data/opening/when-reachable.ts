import { setTimeout as sleep } from 'node:timers/promises';

import { Outage } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { codeOf } from '../database/error-code.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';
import { ReadOnlyServerError } from '../database/postgres-hosts.js';

const RETRY_MS = 1000;
/** Errors that may go away, such as a starting server or a host name that DNS does not know yet. */
const MAY_COME = /^(08|53300$|57P0|ECONN|ETIMEDOUT$|EHOST|ENET|EPIPE$|EAI_AGAIN$|ENOTFOUND$)/;
const NO_CONNECTION = /timeout exceeded when trying to connect|Connection terminated/;

/**
 * Opens a database once its server is reachable. Logs the wait immediately, and then once a minute.
 * @param open Called once a second.
 * @throws The error of `open` if waiting cannot help: a wrong password or an unknown database.
 */
export async function whenReachable<T>(open: () => Promise<T>, log: StoreLog): Promise<T> {
  const say = (fields: object, message: string): void => log.warn(fields, message);
  const outage = new Outage(say, 'The database', '; the start waits for it');
  try {
    for (;;) {
      try {
        return await open();
      } catch (error) {
        if (!mayCome(error instanceof DatabaseNotOpenedError ? error.cause : error)) throw error;
        outage.fail(error);
        await sleep(RETRY_MS);
      }
    }
  } finally {
    outage.stop();
  }
}

function mayCome(cause: unknown): boolean {
  if (cause instanceof ReadOnlyServerError || MAY_COME.test(codeOf(cause))) return true;
  return codeOf(cause) === '' && cause instanceof Error && NO_CONNECTION.test(cause.message);
}
