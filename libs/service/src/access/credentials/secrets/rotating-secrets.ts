import type { WebhookSecret } from '@items/dtos/contract';
import type { CollectionService } from '../../../data/collections/collection-service.js';
import type { Tagged } from '../../../data/collections/tagged.js';
import type { CreationRequest } from '../../../data/collections/write-options.js';
import type { Queryable, Transaction } from '../../../data/database/database.js';
import type { HasId } from '../../../data/definition/collection.js';
import { formatTime } from '../../../data/definition/column-codecs.js';
import type { IdempotentCreation } from '../../../data/idempotency/idempotency.js';

/** Times are Unix times in milliseconds. */
interface StoredSecret {
  readonly created_at: number;
  /** End of the grace period. Null for the current secret. */
  readonly expires_at: number | null;
  readonly last_used_at?: number | null;
}

export interface SecretTable {
  readonly name: string;
  readonly owner: string;
  /** Column with the hash, or with the encrypted secret. */
  readonly secret: string;
  /** Columns that responses show. Default: `created_at` and `expires_at`. */
  readonly shown?: readonly (keyof StoredSecret)[];
}

/** Secrets have a separate table, because a key, client or webhook has two secrets during a rotation. */
export class RotatingSecrets {
  private readonly adding: string;
  private readonly removal: string;
  private readonly beginningOfGrace: string;
  private readonly listing: string;
  private readonly shownColumns: readonly (keyof StoredSecret)[];

  constructor({ name, owner, secret, shown = ['created_at', 'expires_at'] }: SecretTable) {
    this.shownColumns = shown;
    const ofOwner = `FROM ${name} WHERE ${owner} = $1`;
    this.adding = `INSERT INTO ${name} (${owner}, ${secret}, created_at) VALUES ($1, $2, $3)`;
    this.removal = `DELETE ${ofOwner}`;
    this.beginningOfGrace = `UPDATE ${name} SET expires_at = $2 WHERE ${owner} = $1`;
    this.listing = `SELECT ${shown.join(', ')} ${ofOwner} ORDER BY expires_at IS NOT NULL, created_at DESC`;
  }

  async add(tx: Queryable, ownerId: string, stored: string, nowMs = Date.now()): Promise<void> {
    await tx.query(this.adding, [ownerId, stored, nowMs]);
  }

  /** The current secret stays valid for the grace period. An older secret is deleted, so at most two are valid. */
  async replace(
    tx: Queryable,
    ownerId: string,
    stored: string,
    graceSeconds: number,
    nowMs = Date.now(),
  ): Promise<void> {
    await tx.query(graceSeconds === 0 ? this.removal : `${this.removal} AND expires_at IS NOT NULL`, [ownerId]);
    await tx.query(this.beginningOfGrace, [ownerId, nowMs + graceSeconds * 1000]);
    await this.add(tx, ownerId, stored, nowMs);
  }

  async remove(tx: Queryable, ownerId: string): Promise<void> {
    await tx.query(this.removal, [ownerId]);
  }

  first(nowMs: number): string {
    return JSON.stringify([
      Object.fromEntries(this.shownColumns.map((name) => [name, name === 'created_at' ? nowMs : null])),
    ]);
  }

  /**
   * Returns the owner's secrets as JSON for {@link validSecrets}, the current secret first. The JSON has only columns
   * that responses show.
   */
  async shown(tx: Queryable, ownerId: string): Promise<string> {
    return JSON.stringify(await tx.query<StoredSecret>(this.listing, [ownerId]));
  }
}

export function validSecrets(stored: string | null, nowMs = Date.now()): WebhookSecret[] {
  return (JSON.parse(stored ?? '[]') as StoredSecret[])
    .filter(({ expires_at: expiresAt }) => expiresAt === null || expiresAt > nowMs)
    .map(({ created_at: createdAt, expires_at: expiresAt, last_used_at: usedAt }) => ({
      created_at: formatTime(createdAt),
      expires_at: expiresAt === null ? null : formatTime(expiresAt),
      ...(usedAt !== undefined && { last_used_at: usedAt === null ? null : formatTime(usedAt) }),
    }));
}

/** Only the first response contains the secret. A repeated request gets 409. */
export function withSecret<Resource extends HasId, Secret extends object>(
  collection: Pick<CollectionService<HasId, never>, 'createOnce'>,
  { path, repeatable, origin }: CreationRequest,
  work: (tx: Transaction) => Promise<readonly [Tagged<Resource>, Secret]>,
): Promise<IdempotentCreation<Resource & Secret>> {
  const createWithSecret = async (tx: Transaction): Promise<Tagged<Resource & Secret>> => {
    const [{ resource, etag }, secret] = await work(tx);
    return { resource: { ...resource, ...secret }, etag };
  };
  return collection.createOnce(createWithSecret, { path, repeatable, origin, replay: 'secret' });
}
