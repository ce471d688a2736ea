import { ConflictError, IdempotencyKeyReusedError } from '@items/conventions';
import type { Database, Transaction } from '../database/database.js';
import type { Origin } from '../database/origin.js';
import { isLockTimeout } from '../database/error-codes.js';

export const RETENTION_MS = 24 * 60 * 60 * 1000;

export interface RepeatableRequest {
  /** Each caller has its own idempotency keys. */
  readonly callerId: string;
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
  /** Prefix of the path in the `Location` of a refused request. */
  readonly basePath?: string;
}

export interface Creation<Resource> {
  readonly resource: Resource;
  readonly etag: string;
  readonly location: string;
}

export interface IdempotentCreation<Resource> extends Creation<Resource> {
  readonly replayed: boolean;
}

interface StoredRecord {
  readonly fingerprint: string;
  readonly location: string;
  readonly etag: string;
  readonly body: string | null;
  readonly created_at: number;
}

/** A response with a secret is not stored. */
export type Replay = 'replayable' | 'secret';

/** The column `credential_id` contains the id of the user, or of a credential without a user. */
const CLAIM_ROW = `INSERT INTO idempotency_records
  (credential_id, route, key, fingerprint, location, etag, body, created_at)`;
const UNLESS_CLAIMED = 'ON CONFLICT (credential_id, route, key) DO NOTHING RETURNING';
/** On PostgreSQL, waits up to 100 ms for a concurrent insert of the same key. */
const CLAIM = {
  sqlite: `${CLAIM_ROW} VALUES ($1, $2, $3, $4, '', '', NULL, $5) ${UNLESS_CLAIMED} 1 AS claimed`,
  postgres: `${CLAIM_ROW} SELECT $1, $2, $3, $4, '', '', NULL, $5
    WHERE set_config('lock_timeout', '100ms', true) IS NOT NULL
    ${UNLESS_CLAIMED} set_config('lock_timeout', '0', true) AS claimed`,
};

const WHERE_KEY = 'WHERE credential_id = $1 AND route = $2 AND key = $3';
const READ = `SELECT fingerprint, location, etag, body, created_at FROM idempotency_records ${WHERE_KEY}`;
const RENEW_ROW = `UPDATE idempotency_records SET fingerprint = $4, created_at = $5 ${WHERE_KEY} AND created_at = $6`;
const RENEW = {
  sqlite: `${RENEW_ROW} RETURNING 1 AS claimed`,
  postgres: `${RENEW_ROW} RETURNING set_config('lock_timeout', '0', true) AS claimed`,
};
const RECORD = `UPDATE idempotency_records SET location = $4, etag = $5, body = $6 ${WHERE_KEY}`;

/**
 * Makes a POST safe to repeat. The record commits with the changes, so a refused request leaves no record. SPEC §4.4
 */
export class Idempotency {
  private readonly inFlight = new Set<string>();

  constructor(private readonly database: Database) {}

  /**
   * @param request Undefined for a request without a key.
   * @throws {ConflictError} 409: the first request is still running, or the first response contained a secret.
   * @throws {IdempotencyKeyReusedError} 422: the key was used with another body.
   */
  async run<Resource>(
    request: RepeatableRequest | undefined,
    replay: Replay,
    work: (tx: Transaction) => Promise<Creation<Resource>>,
    origin?: Origin,
  ): Promise<IdempotentCreation<Resource>> {
    if (request === undefined) return { ...(await this.database.transaction(work, origin)), replayed: false };
    const primaryKey = [request.callerId, request.route, request.key];
    const name = JSON.stringify(primaryKey);
    if (this.inFlight.has(name)) throw requestInProgress();
    this.inFlight.add(name);
    try {
      return await this.database.transaction(async (tx) => {
        const first = await this.claim(tx, primaryKey, request.fingerprint);
        if (first !== undefined) return repetitionOf<Resource>(first, request);
        const creation = await work(tx);
        const body = replay === 'replayable' ? JSON.stringify(creation.resource) : null;
        await tx.query(RECORD, [...primaryKey, creation.location, creation.etag, body]);
        return { ...creation, replayed: false };
      }, origin);
    } finally {
      this.inFlight.delete(name);
    }
  }

  /**
   * Claims the key for this request, or returns the record of an earlier request.
   * @throws {ConflictError} 409: another instance is running the first request.
   */
  private async claim(
    tx: Transaction,
    primaryKey: readonly string[],
    fingerprint: string,
  ): Promise<StoredRecord | undefined> {
    const { dialect } = this.database;
    const claimed = await unlessLocked(tx.query(CLAIM[dialect], [...primaryKey, fingerprint, Date.now()]));
    if (claimed.length > 0) return undefined;
    const [first] = await tx.query<StoredRecord>(READ, primaryKey);
    // The record was deleted meanwhile, or its transaction failed.
    if (first === undefined) throw requestInProgress();
    if (first.created_at > Date.now() - RETENTION_MS) return first;
    const values = [...primaryKey, fingerprint, Date.now(), first.created_at];
    const renewed = await unlessLocked(tx.query(RENEW[dialect], values));
    if (renewed.length === 0) throw requestInProgress();
    return undefined;
  }
}

async function unlessLocked<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  try {
    return await rows;
  } catch (error) {
    throw isLockTimeout(error) ? requestInProgress() : error;
  }
}

function repetitionOf<Resource>(
  first: StoredRecord,
  { fingerprint, basePath = '' }: RepeatableRequest,
): IdempotentCreation<Resource> {
  if (first.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
  if (first.body === null) throw secretNotReplayable(basePath + first.location);
  const resource = JSON.parse(first.body) as Resource;
  return { resource, etag: first.etag, location: first.location, replayed: true };
}

export function requestInProgress(): ConflictError {
  return new ConflictError(
    'idempotency_key_in_flight',
    'The first request with this Idempotency-Key has no response yet; repeat this one later.',
    { headers: { 'retry-after': '1' } },
  );
}

export function secretNotReplayable(location: string): ConflictError {
  return new ConflictError(
    'secret_not_replayable',
    'This request was already answered with a secret, which is shown only once; Location names the resource that it created.',
    { headers: { location } },
  );
}
