import { ConflictError, IdempotencyKeyReusedError } from '@items/errors';

import type { Database, Transaction } from '../database/database.js';

/** How long a record is kept, in milliseconds. SPEC §4.4 */
export const RETENTION_MS = 24 * 60 * 60 * 1000;

/** A POST that its client may repeat. */
export interface RepeatableRequest {
  /** Who asks: two callers may use the same key for different requests. */
  readonly callerId: string;
  /** The path, which is the same for the repetition. */
  readonly route: string;
  /** As in `Idempotency-Key`. */
  readonly key: string;
  /** A digest of the body. */
  readonly fingerprint: string;
}

/** What a POST has made. */
export interface Creation<Resource> {
  readonly resource: Resource;
  readonly etag: string;
  /** Path of the new resource. */
  readonly location: string;
}

/** A creation, or the first answer to the same request. */
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

/** Whether the answer to a creation may be kept: one that shows a secret may not. */
export type Replay = 'replayable' | 'secret';

/**
 * Makes a POST safe to repeat: the record of a request commits with what it wrote, so that a refused request leaves
 * none, and a lost answer can be had again. SPEC §4.4
 */
export class Idempotency {
  private readonly inFlight = new Set<string>();

  constructor(private readonly database: Database) {}

  /**
   * Does the work once.
   * @param request undefined where the client sent no key.
   * @throws {ConflictError} 409: the first request is not answered yet, or its answer held a secret.
   * @throws {IdempotencyKeyReusedError} 422: the key came with another body.
   */
  async run<Resource>(
    request: RepeatableRequest | undefined,
    replay: Replay,
    work: (tx: Transaction) => Promise<Creation<Resource>>,
  ): Promise<IdempotentCreation<Resource>> {
    if (request === undefined) return { ...(await this.database.transaction(work)), replayed: false };
    const name = JSON.stringify([request.callerId, request.route, request.key]);
    if (this.inFlight.has(name)) throw inFlight();
    this.inFlight.add(name);
    try {
      return await this.database.transaction(async (tx) => {
        await this.claim(tx, name);
        return (await this.repeat<Resource>(tx, request)) ?? (await this.record(tx, request, replay, await work(tx)));
      });
    } finally {
      this.inFlight.delete(name);
    }
  }

  /** Keeps other instances out until the transaction ends; SQLite has one writer at a time anyway. */
  private async claim(tx: Transaction, name: string): Promise<void> {
    if (this.database.dialect === 'sqlite') return;
    const [lock] = await tx.query<{ mine: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine',
      [name],
    );
    if (lock?.mine !== true) throw inFlight();
  }

  private async repeat<Resource>(
    tx: Transaction,
    { callerId, route, key, fingerprint }: RepeatableRequest,
  ): Promise<IdempotentCreation<Resource> | undefined> {
    const name = [callerId, route, key];
    const where = 'WHERE credential_id = $1 AND route = $2 AND key = $3';
    const [first] = await tx.query<StoredRecord>(
      `SELECT fingerprint, location, etag, body, created_at FROM idempotency_records ${where}`,
      name,
    );
    if (first === undefined) return undefined;
    if (first.created_at <= Date.now() - RETENTION_MS) {
      await tx.query(`DELETE FROM idempotency_records ${where}`, name);
      return undefined;
    }
    if (first.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
    if (first.body === null) throw secretNotReplayable(first.location);
    const resource = JSON.parse(first.body) as Resource;
    return { resource, etag: first.etag, location: first.location, replayed: true };
  }

  private async record<Resource>(
    tx: Transaction,
    { callerId, route, key, fingerprint }: RepeatableRequest,
    replay: Replay,
    creation: Creation<Resource>,
  ): Promise<IdempotentCreation<Resource>> {
    const { resource, etag, location } = creation;
    const body = replay === 'replayable' ? JSON.stringify(resource) : null;
    await tx.query(
      `INSERT INTO idempotency_records (credential_id, route, key, fingerprint, location, etag, body, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [callerId, route, key, fingerprint, location, etag, body, Date.now()],
    );
    return { ...creation, replayed: false };
  }
}

export function inFlight(): ConflictError {
  return new ConflictError(
    'idempotency_key_in_flight',
    'The first request with this Idempotency-Key is not answered yet; repeat this one later.',
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
