import { formatTime } from '../../../data/definition/column-codecs.js';
import { ALL_PARENTS } from '../../../data/definition/parent-keys.js';
import { type AuditNote, UNRECORDED } from '../../../data/definition/change-recorder.js';
import type { CollectionService } from '../../../data/collections/collection-service.js';
import { AccessTokenCache } from '../../credentials/tokens/access-token-cache.js';
import { ResourceNotFoundError } from '@items/conventions';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { Database, type Queryable, type Transaction } from '../../../data/database/database.js';
import { isRowId } from '../../../data/schema/row-id.js';
import type { Origin } from '../../../data/database/origin.js';
import { Injectable } from '@nestjs/common';

import { ApplicationKeysService } from '../../api-keys/application-keys.service.js';
import { grantCollection } from './grant.collection.js';
import { sessionCollection } from './session.collection.js';

/** That somebody acts for a user: what every code and token of one login belongs to, and ends with. */
export interface Authorization {
  /** A UUID; that of the session, where it is one. */
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  /** The user's approval; null for a session. */
  readonly grant_id: string | null;
  /** Of the user, when it began: under a later one it is dead. */
  readonly credentials_version: number;
  /** As oidc-provider has its `Grant`. */
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

/** Ends every authorization that has this value in this column. */
type Column = 'id' | 'user_id' | 'client_id' | 'grant_id';

const COLUMNS = 'id, user_id, client_id, grant_id, credentials_version, payload, expires_at';
const ADD = `INSERT INTO oauth_authorizations (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const FIND = `SELECT ${COLUMNS} FROM oauth_authorizations WHERE id = $1`;
const EXTEND = 'UPDATE oauth_authorizations SET expires_at = $2 WHERE id = $1 AND expires_at < $2 RETURNING grant_id';
/** For {@link Authorizations.endWithin}: what ends is recorded, by what becomes of its row. */
export const RECORDED: AuditNote = {};
const REBASE = 'UPDATE oauth_authorizations SET credentials_version = $2 WHERE id = $1';

/** All authorizations: logins, and what users have approved. */
@Injectable()
export class Authorizations {
  constructor(
    private readonly database: Database,
    @InjectCollection(sessionCollection) private readonly sessions: CollectionOf<typeof sessionCollection>,
    @InjectCollection(grantCollection) private readonly grants: CollectionOf<typeof grantCollection>,
    private readonly tokens: AccessTokenCache,
    private readonly applicationKeys: ApplicationKeysService,
  ) {}

  /** @param id anything. */
  async find(id: string): Promise<Authorization | undefined> {
    if (!isRowId(id)) return undefined;
    const [authorization] = await this.database.query<Authorization>(FIND, [id]);
    return authorization;
  }

  async add(tx: Queryable, { id, ...rest }: Authorization): Promise<void> {
    const { user_id, client_id, grant_id, credentials_version, payload, expires_at } = rest;
    await tx.query(ADD, [id, user_id, client_id, grant_id, credentials_version, payload, expires_at]);
  }

  /** A refresh token was renewed: it lives on until then. */
  async extend(tx: Transaction, id: string, expiresAt: number): Promise<void> {
    const [extended] = await tx.query<Pick<Authorization, 'grant_id'>>(EXTEND, [id, expiresAt]);
    if (extended?.grant_id === null) {
      await this.sessions.updateKeepingTime(tx, id, {
        expires_at: formatTime(expiresAt),
        last_used_at: formatTime(Date.now()),
      });
    }
  }

  /** The user's password was changed through it: it alone lives on. */
  async rebase(id: string, credentialsVersion: number): Promise<void> {
    if (!isRowId(id)) return;
    await this.database.transaction((tx) => tx.query(REBASE, [id, credentialsVersion]));
    this.ended();
  }

  /** Ends authorizations with all that was issued under them: at once here, within seconds in other processes. */
  async end(column: Column, value: string, except?: string): Promise<void> {
    await this.database.transaction((tx) => this.endWithin(tx, column, value, except));
    this.ended();
  }

  /** Ends one, as somebody has asked for: that is recorded. */
  async revoke(id: string, origin: Origin): Promise<void> {
    await this.database.transaction((tx) => this.endWithin(tx, 'id', id, undefined, RECORDED), origin);
    this.ended();
  }

  /** The same within a transaction; {@link ended} is to be called after it. */
  async endWithin(tx: Transaction, column: Column, value: string, except?: string, note = UNRECORDED): Promise<void> {
    const sql = `SELECT ${COLUMNS} FROM oauth_authorizations WHERE ${column} = $1`;
    const found = await tx.query<Authorization>(sql, [value]);
    for (const authorization of found.filter(({ id }) => id !== except)) await this.remove(tx, authorization, note);
  }

  /** What this process remembers of tokens may be wrong now. */
  ended(): void {
    this.tokens.forgetAll();
  }

  /** Ends all approvals of a user, or of a client, also those under which there is no authorization any more. */
  async endGrants(tx: Transaction, column: 'user_id' | 'client_id', value: string): Promise<void> {
    const grants = await tx.query<{ id: string }>(`SELECT id FROM grants WHERE ${column} = $1 ORDER BY id`, [value]);
    for (const { id } of grants) await discard(this.grants, tx, id, UNRECORDED);
  }

  private async remove(tx: Transaction, authorization: Authorization, note: AuditNote): Promise<void> {
    const { id, grant_id: grantId } = authorization;
    await tx.query('DELETE FROM oauth_artifacts WHERE authorization_id = $1', [id]);
    await tx.query('DELETE FROM oauth_authorizations WHERE id = $1', [id]);
    if (grantId === null) return discard(this.sessions, tx, id, note);
    const others = await tx.query('SELECT id FROM oauth_authorizations WHERE grant_id = $1 LIMIT 1', [grantId]);
    if (others.length > 0) return;
    // An approval stays for as long as the client has a key by it: its user can still withdraw it.
    const { user_id: userId, client_id: clientId } = authorization;
    if (!(await this.applicationKeys.hasAny(tx, userId, clientId))) await discard(this.grants, tx, grantId, note);
  }
}

/** Removes a member that somebody else may have removed meanwhile. */
async function discard(
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
