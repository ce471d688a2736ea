import { unauthorized } from '../credentials/requests/challenges.js';
import { ConflictError } from '@items/conventions';
import { Database, type Queryable, type Transaction } from '../../data/database/database.js';
import { isRowId } from '../../data/schema/row-id.js';
import { Inject, Injectable } from '@nestjs/common';

import { lockUser } from '../accounts/lock-user.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import type { Principal } from '../principal/principal.js';
import { ApplicationKeysService } from './application-keys.service.js';

/** Live keys of a user: neither deleted nor expired. SPEC §8.1 */
export const MAX_LIVE_KEYS = 100;

const LIVE = 'SELECT count(*) AS n FROM api_keys WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $2)';
const OWNER = 'SELECT user_id FROM api_keys WHERE id = $1';
const OWNER_OF_EXPIRED = `${OWNER} AND expires_at <= $2 AND user_id IS NOT NULL`;

export const TOO_MANY_API_KEYS = new ConflictError(
  'too_many_api_keys',
  `This user has ${String(MAX_LIVE_KEYS)} API keys, and cannot have more: delete one first.`,
);

/** Whose keys are, and how many a user may have. */
@Injectable()
export class KeyOwnersService {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl'>,
    private readonly applicationKeys: ApplicationKeysService,
  ) {}

  /** The user whose key it is; null for the operator's, undefined where there is no such key. @param id anything. */
  async ownerOf(id: string): Promise<string | null | undefined> {
    if (!isRowId(id)) return undefined;
    const [key] = await this.database.query<{ user_id: string | null }>(OWNER, [id]);
    return key?.user_id;
  }

  /**
   * Locks the user and the approval of a new key until the transaction ends: the user gets no other key meanwhile.
   * @throws {UnauthorizedError} 401: the user was deleted, or the application's approval withdrawn, a moment ago, and so the
   * credential of the request has ended.
   */
  async lockFor(tx: Transaction, { userId, delegatedTo }: Principal): Promise<void> {
    if (userId === null) return;
    if (!(await lockUser(tx, this.database.dialect, userId))) throw unauthorized({ method: 'none' }, this.config);
    if (delegatedTo !== undefined) await this.applicationKeys.lockApproval(tx, userId, delegatedTo);
  }

  /** The same for a key that has expired and may live again. @returns its user; undefined where the key lives, or has none. */
  async lockForExpired(tx: Transaction, keyId: string): Promise<string | undefined> {
    if (!isRowId(keyId)) return undefined;
    const [key] = await tx.query<{ user_id: string }>(OWNER_OF_EXPIRED, [keyId, Date.now()]);
    return key !== undefined && (await lockUser(tx, this.database.dialect, key.user_id)) ? key.user_id : undefined;
  }

  /**
   * @param tx in which the user is locked, and has got one more live key.
   * @throws {ConflictError} 409
   */
  async requireRoom(tx: Queryable, userId: string | null | undefined): Promise<void> {
    if (userId === null || userId === undefined) return;
    const [row] = await tx.query<{ n: number }>(LIVE, [userId, Date.now()]);
    if (Number(row?.n) > MAX_LIVE_KEYS) throw TOO_MANY_API_KEYS;
  }
}
