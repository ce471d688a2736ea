import { AuthStrategies } from '../auth/strategies/auth-strategies.js';
import { ConflictError, NotOwnerError } from '@items/conventions';
import { Database, type Queryable, type Transaction } from '../../data/database/database.js';
import { isRowId } from '../../data/schema/row-id.js';
import { Injectable } from '@nestjs/common';
import { lockUser } from '../accounts/accounts.js';
import type { Principal } from '../principal/principal.js';

/** Maximum number of unexpired keys of a user. Keys that applications created count separately. SPEC §8.1 */
const MAX_LIVE_KEYS = 100;

/** Maximum number of unexpired keys that one application may have for one user. */
const MAX_LIVE_KEYS_OF_APPLICATION = 10;

const LIVE = 'SELECT count(*) AS n FROM api_keys WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $2)';
const LIVE_OF_USER = `${LIVE} AND client_id IS NULL`;
const LIVE_OF_APPLICATION = `${LIVE} AND client_id = $3`;
const APPROVAL = 'SELECT id FROM grants WHERE user_id = $1 AND client_id = $2';
const OWNER = 'SELECT user_id FROM api_keys WHERE id = $1';
const EXPIRED = 'SELECT user_id, client_id FROM api_keys WHERE id = $1 AND expires_at <= $2 AND user_id IS NOT NULL';

export const TOO_MANY_API_KEYS = new ConflictError(
  'too_many_api_keys',
  `This user has ${String(MAX_LIVE_KEYS)} API keys, and cannot have more: delete one first.`,
);
const TOO_MANY_OF_APPLICATION = new ConflictError(
  'too_many_api_keys',
  `This application has ${String(MAX_LIVE_KEYS_OF_APPLICATION)} API keys of this user, and cannot have more: delete one first.`,
);

type KeyHolder = Pick<Principal, 'userId' | 'delegatedTo'>;

@Injectable()
export class KeyOwnersService {
  constructor(
    private readonly database: Database,
    private readonly strategies: AuthStrategies,
  ) {}

  /**
   * Lets users access their own keys, and administrators all keys.
   * @param id Unvalidated text. Undefined for the list, and for a new key.
   * @throws {NotOwnerError} 403: another user's key, or an unknown key. SPEC §5.2
   */
  async requireOwn({ isAdmin, userId, delegatedTo }: Principal, id: string | undefined): Promise<void> {
    // For an application, `ApiKeysService` checks each key itself and responds 404.
    if (isAdmin || delegatedTo !== undefined) return;
    // Keys without a user belong to the operator.
    if (userId === null) throw new NotOwnerError();
    if (id === undefined) return;
    const [key] = isRowId(id) ? await this.database.query<{ user_id: string | null }>(OWNER, [id]) : [];
    if (key?.user_id !== userId) throw new NotOwnerError();
  }

  /**
   * Locks the user of a new key, so that concurrent creations are counted one after the other. For an application, also
   * locks its approval: a concurrent withdrawal waits, and then deletes the new key too.
   * @throws {UnauthorizedError} 401: the user was just deleted or the approval withdrawn.
   */
  async lockFor(tx: Transaction, { userId, delegatedTo }: KeyHolder): Promise<void> {
    if (userId === null) return;
    if (!(await lockUser(tx, this.database.dialect, userId))) throw this.strategies.unauthorized();
    if (delegatedTo === undefined) return;
    const lock = this.database.dialect === 'postgres' ? ' FOR UPDATE' : '';
    const approvals = await tx.query(`${APPROVAL}${lock}`, [userId, delegatedTo]);
    if (approvals.length === 0) throw this.strategies.unauthorized();
  }

  /**
   * Locks the user of an expired key for {@link requireRoom}, before the expiry changes.
   * @returns Undefined for an unexpired key, and for a key without a user.
   */
  async lockForExpired(tx: Transaction, keyId: string): Promise<KeyHolder | undefined> {
    if (!isRowId(keyId)) return undefined;
    const [key] = await tx.query<{ user_id: string; client_id: string | null }>(EXPIRED, [keyId, Date.now()]);
    if (key === undefined || !(await lockUser(tx, this.database.dialect, key.user_id))) return undefined;
    return { userId: key.user_id, ...(key.client_id !== null && { delegatedTo: key.client_id }) };
  }

  /**
   * Throws if the unexpired keys exceed the maximum.
   * @param tx Must have locked the user.
   */
  async requireRoom(tx: Queryable, { userId, delegatedTo }: KeyHolder): Promise<void> {
    if (userId === null) return;
    const isOfUser = delegatedTo === undefined;
    const [row] = await (isOfUser
      ? tx.query<{ n: number }>(LIVE_OF_USER, [userId, Date.now()])
      : tx.query<{ n: number }>(LIVE_OF_APPLICATION, [userId, Date.now(), delegatedTo]));
    const max = isOfUser ? MAX_LIVE_KEYS : MAX_LIVE_KEYS_OF_APPLICATION;
    if (Number(row?.n) > max) throw isOfUser ? TOO_MANY_API_KEYS : TOO_MANY_OF_APPLICATION;
  }
}
