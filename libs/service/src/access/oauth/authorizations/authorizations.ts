import { formatTime } from '../../../data/definition/column-codecs.js';
import { ALL_PARENTS } from '../../../data/definition/parent-keys.js';
import { type AuditNote, UNRECORDED } from '../../../data/definition/change-recorder.js';
import type { CollectionService } from '../../../data/collections/collection-service.js';
import { AccessTokenCache } from '../../credentials/tokens/access-token-cache.js';
import { grantPayload } from '../../credentials/tokens/artifacts.js';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { ResourceNotFoundError } from '@items/conventions';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { Database, type Queryable, type Transaction } from '../../../data/database/database.js';
import { isRowId } from '../../../data/schema/row-id.js';
import type { Origin } from '../../../data/database/origin.js';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account.js';
import { Accounts } from '../../accounts/accounts.js';
import type { AccountChange, AccountListener } from '../../accounts/listeners.js';
import { ApiKeyRemovalsService } from '../../api-keys/api-key-removals.service.js';
import { grantCollection } from './grant.collection.js';
import { sessionCollection } from './session.collection.js';

/** The right to act for a user, by a login or an approval. Codes and tokens end with their authorization. */
export interface Authorization {
  /** A UUID, which is also the id of a session. */
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  /** The user's approval. Null for a session. */
  readonly grant_id: string | null;
  /** Credentials version of the user at the start. The authorization is invalid if the user's version is later. */
  readonly credentials_version: number;
  readonly payload: string;
  readonly expires_at: number;
}

type Column = 'id' | 'user_id' | 'client_id' | 'grant_id';

const COLUMNS = 'id, user_id, client_id, grant_id, credentials_version, payload, expires_at';
const ADD = `INSERT INTO oauth_authorizations (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const FIND = `SELECT ${COLUMNS} FROM oauth_authorizations WHERE id = $1`;
const EXTEND = 'UPDATE oauth_authorizations SET expires_at = $2 WHERE id = $1 AND expires_at < $2 RETURNING grant_id';
/** Audit note that records each deleted session or approval. */
export const WITH_AUDIT_RECORD: AuditNote = {};
const REBASE = 'UPDATE oauth_authorizations SET credentials_version = $2 WHERE id = $1';

/** Stores logins and approvals. They end if the user is disabled, is deleted or changes the password. SPEC §5.2 */
@Injectable()
export class Authorizations implements AccountListener {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    @InjectCollection(sessionCollection) private readonly sessions: CollectionOf<typeof sessionCollection>,
    @InjectCollection(grantCollection) private readonly grants: CollectionOf<typeof grantCollection>,
    private readonly tokens: AccessTokenCache,
    private readonly keys: ApiKeyRemovalsService,
  ) {}

  async find(id: string): Promise<Authorization | undefined> {
    if (!isRowId(id)) return undefined;
    const [authorization] = await this.database.query<Authorization>(FIND, [id]);
    return authorization;
  }

  async add(tx: Queryable, { id, ...rest }: Authorization): Promise<void> {
    const { user_id, client_id, grant_id, credentials_version, payload, expires_at } = rest;
    await tx.query(ADD, [id, user_id, client_id, grant_id, credentials_version, payload, expires_at]);
  }

  addLogin(tx: Queryable, id: string, account: Account, scope: string, expiresAt: number): Promise<void> {
    return this.add(tx, {
      id,
      user_id: account.id,
      client_id: FIRST_PARTY,
      grant_id: null,
      credentials_version: account.credentialsVersion,
      payload: grantPayload(account.id, FIRST_PARTY, scope),
      expires_at: expiresAt,
    });
  }

  async extend(tx: Transaction, id: string, expiresAt: number): Promise<void> {
    const [extended] = await tx.query<Pick<Authorization, 'grant_id'>>(EXTEND, [id, expiresAt]);
    if (extended?.grant_id === null) {
      await this.sessions.updateKeepingTime(tx, id, {
        expires_at: formatTime(expiresAt),
        last_used_at: formatTime(Date.now()),
      });
    }
  }

  onDeletion(tx: Transaction, userId: string): Promise<void> {
    return this.endAll(tx, 'user_id', userId);
  }

  async onChange(userId: string, { kind, keptCredentialId }: AccountChange): Promise<void> {
    if (kind === 'password') {
      await this.rebase(userId, keptCredentialId);
      await this.end('user_id', userId, keptCredentialId);
    }
    if (kind === 'disabled') await this.end('user_id', userId);
    this.clearCaches();
  }

  /** Sets the new credentials version in the authorization that changed the password. It therefore stays valid. */
  private async rebase(userId: string, kept: string | undefined): Promise<void> {
    const account = await this.accounts.find(userId);
    if (kept === undefined || account === undefined || !isRowId(kept)) return;
    await this.database.transaction((tx) => tx.query(REBASE, [kept, account.credentialsVersion]));
  }

  /** Codes and tokens end immediately in this process, and within seconds in others. */
  async end(column: Column, value: string, except?: string): Promise<void> {
    await this.database.transaction((tx) => this.endInTransaction(tx, column, value, except));
    this.clearCaches();
  }

  /** Ends an authorization that a client revokes (`/oauth/revoke`), with an audit record. */
  async revoke(id: string, origin: Origin): Promise<void> {
    await this.database.transaction((tx) => this.endInTransaction(tx, 'id', id, undefined, WITH_AUDIT_RECORD), origin);
    this.clearCaches();
  }

  /** Call {@link clearCaches} after the transaction. */
  async endInTransaction(
    tx: Transaction,
    column: Column,
    value: string,
    except?: string,
    note = UNRECORDED,
  ): Promise<void> {
    const sql = `SELECT ${COLUMNS} FROM oauth_authorizations WHERE ${column} = $1`;
    const found = await tx.query<Authorization>(sql, [value]);
    for (const authorization of found.filter(({ id }) => id !== except)) await this.remove(tx, authorization, note);
  }

  clearCaches(): void {
    this.tokens.forgetAll();
  }

  /**
   * Ends all authorizations of a user or client, and deletes their approvals and artifacts. Call {@link clearCaches}
   * after the transaction.
   */
  async endAll(tx: Transaction, column: 'user_id' | 'client_id', value: string): Promise<void> {
    await this.endInTransaction(tx, column, value);
    const grants = await tx.query<{ id: string }>(`SELECT id FROM grants WHERE ${column} = $1 ORDER BY id`, [value]);
    for (const { id } of grants) await discard(this.grants, tx, id, UNRECORDED);
    await tx.query(`DELETE FROM oauth_artifacts WHERE ${column} = $1`, [value]);
  }

  private async remove(tx: Transaction, authorization: Authorization, note: AuditNote): Promise<void> {
    const { id, grant_id: grantId } = authorization;
    await tx.query('DELETE FROM oauth_artifacts WHERE authorization_id = $1', [id]);
    await tx.query('DELETE FROM oauth_authorizations WHERE id = $1', [id]);
    if (grantId === null) return discard(this.sessions, tx, id, note);
    const others = await tx.query('SELECT id FROM oauth_authorizations WHERE grant_id = $1 LIMIT 1', [grantId]);
    if (others.length > 0) return;
    // Retains the approval while the client has an API key under it, so that the user can still withdraw the approval.
    const { user_id: userId, client_id: clientId } = authorization;
    if (!(await this.keys.hasAnyOfApplication(tx, userId, clientId))) await discard(this.grants, tx, grantId, note);
  }
}

/** Deletes a resource. Ignores a concurrent deletion. */
export async function discard(
  collection: Pick<CollectionService<never, never, never>, 'delete'>,
  tx: Transaction,
  id: string,
  note: AuditNote,
): Promise<void> {
  try {
    await collection.delete(tx, id, () => undefined, ALL_PARENTS, note);
  } catch (error) {
    if (!(error instanceof ResourceNotFoundError)) throw error;
  }
}
