import type { Database } from '../database/database.js';
import { urlsOf } from '../database/postgres-hosts.js';
import { servingPostgres } from '../postgres/serving-postgres.js';
import { listenerOf, type Watching } from '../database/slow-statements.js';
import { NO_LOG, type StoreLog } from '../outages/store-log.js';
import { ReadReplicas } from './read-replicas.js';
import { Standby } from './standby.js';
import { MemoryPositions, type WritePositions } from './write-positions.js';

/** Standbys of a database that may answer reads, and the positions of writes. */
export interface ReplicaOptions {
  /** Of one or several hosts; undefined for none. Each must lead to one server, not to a choice of them. */
  readonly url: string | undefined;
  /** Those of a single instance, in its process, where they are left out. */
  readonly positions?: WritePositions;
}

/**
 * Standbys beside a database. None is waited for: until one can be read, the primary answers.
 * @param primary as `openDatabase` opens it, on PostgreSQL.
 * @param log for a standby that is not read.
 * @returns null where there are none.
 */
export function openReplicas(
  primary: Database,
  { url, positions = new MemoryPositions() }: ReplicaOptions,
  log: StoreLog = NO_LOG,
  watching: Watching = {},
): ReadReplicas | null {
  if (url === undefined) return null;
  const listener = listenerOf(log, watching);
  const standbys = urlsOf(url).map((one) => {
    const open = (onLost: () => void): Promise<Database> =>
      servingPostgres(one, { migrations: [] }, NO_LOG, { listener, observer: watching.observer, onLost });
    return new Standby(open, new URL(one).host, log);
  });
  return new ReadReplicas(primary, standbys, positions);
}
