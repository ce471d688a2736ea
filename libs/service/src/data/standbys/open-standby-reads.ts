import type { Database } from '../database/database.js';
import { urlsOf } from '../database/postgres-hosts.js';
import { servingPostgres } from '../postgres/serving-postgres.js';
import { listenerOf, type Watching } from '../database/slow-statements.js';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { StandbyReads } from './standby-reads.js';
import { Standby } from './standby.js';
import { MemoryPositions, type WritePositions } from './write-positions.js';

export interface StandbyOptions {
  /** One or more hosts, each a single server and not a load balancer. Undefined disables standbys. */
  readonly url: string | undefined;
  readonly positions?: WritePositions;
}

/**
 * Does not wait for the standbys: the primary serves all reads until a standby is available.
 * @returns Null without configured standbys.
 */
export function openStandbyReads(
  primary: Database,
  { url, positions = new MemoryPositions() }: StandbyOptions,
  log: StoreLog = NO_LOG,
  watching: Watching = {},
): StandbyReads | null {
  if (url === undefined) return null;
  const listener = listenerOf(log, watching);
  const standbys = urlsOf(url).map((one) => {
    const open = (onLost: () => void): Promise<Database> =>
      servingPostgres(one, { migrations: [] }, NO_LOG, { listener, observer: watching.observer, onLost });
    return new Standby(open, new URL(one).host, log);
  });
  return new StandbyReads(primary, standbys, positions);
}
