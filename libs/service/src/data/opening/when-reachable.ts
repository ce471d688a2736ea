import { setTimeout as sleep } from 'node:timers/promises';

import { Outage } from '../outages/outage.js';
import type { StoreLog } from '../outages/store-log.js';
import { codeOf } from '../database/error-code.js';
import { DatabaseNotOpenedError } from '../database/initialized.js';
import { ReadOnlyServerError } from '../database/postgres-hosts.js';

/** Between two attempts to open the database, in milliseconds. */
const RETRY_MS = 1000;
/**
 * What a server says, or the network, that may come: connection exceptions, too many connections, a server that starts or
 * stops. Not an unknown name (`ENOTFOUND`): that is mostly a typing error, and a supervisor starts the process again.
 */
const MAY_COME = /^(08|53300$|57P0|ECONN|ETIMEDOUT$|EHOST|ENET|EPIPE$|EAI_AGAIN$)/;
/** What the driver says without a code. */
const NO_CONNECTION = /timeout exceeded when trying to connect|Connection terminated/;

/**
 * Opens a database, and waits for its server for as long as it cannot be reached. It is logged at once, and then once a
 * minute.
 * @param open such as `() => openDatabase(…)`; called once a second.
 * @throws what `open` throws, where waiting cannot mend it: a wrong password, an unknown database or host name.
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
