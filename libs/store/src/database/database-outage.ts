import { Outage } from '../background/outage.js';
import type { StoreLog } from '../background/store-log.js';

/** Tells of a database that is down or too slow. */
export function databaseOutage(log: StoreLog): Outage {
  return new Outage(
    (fields, message) => {
      log.error(fields, message);
    },
    'The database',
    '; what needs it is answered 503',
  );
}
