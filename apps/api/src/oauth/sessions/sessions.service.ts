import { formatTime, NO_PARENT, type ListAnswer, type Precondition, type Tagged } from '@items/collections';
import type { CreatedSession, Session } from '@items/contracts';
import type { CreateSessionDto } from '@items/dtos';
import { NarrowedLoginError, NotOwnerError, ResourceNotFoundError } from '@items/errors';
import { Audit, type AuditSource } from '@items/logging/nest';
import { InjectCollection, type CollectionOf } from '@items/nest';
import type { ListRequest } from '@items/paging';
import type { IdempotentCreation, RepeatableRequest, Transaction } from '@items/store';
import { Injectable } from '@nestjs/common';

import { Accounts } from '../../accounts/accounts.js';
import type { Account } from '../../accounts/account.js';
import { unauthorized } from '../../auth/challenges.js';
import { isNarrowedLogin } from '../../auth/narrowed-login.js';
import { ownUserId } from '../../auth/ownership.js';
import type { Principal } from '../../principal/principal.js';
import { FIRST_PARTY, REFRESH_TOKEN_SECONDS } from '../lifetimes.js';
import { grantPayload } from '../authorizations/grant-payload.js';
import { grantable } from '../tokens/scope-words.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { issueTokens } from './issue-tokens.js';
import { sessionCollection } from '../authorizations/session.collection.js';

const PATH = '/sessions';

/** Gives what tells a repeated request of a user from another one; undefined without an `Idempotency-Key`. */
type RepeatableOf = (body: object, userId: string) => RepeatableRequest | undefined;

/** Logins of users. SPEC §5 Bearer token */
@Injectable()
export class SessionsService {
  constructor(
    @InjectCollection(sessionCollection) private readonly sessions: CollectionOf<typeof sessionCollection>,
    private readonly accounts: Accounts,
    private readonly authorizations: Authorizations,
    private readonly audit: Audit,
  ) {}

  /**
   * Begins a session; its tokens stand in the answer, and nowhere else.
   * @throws {UnauthorizedError} 401: the same for whatever is wrong. @throws {TooManyFailuresError} 429
   * @throws {ConflictError} 409: a repetition, for whose answer the tokens would have to be stored.
   */
  async create(
    { username, password, scope }: CreateSessionDto,
    repeatableOf: RepeatableOf,
    source: AuditSource,
  ): Promise<IdempotentCreation<CreatedSession>> {
    const account = await this.accounts.authenticate(username, password, source);
    if (account === undefined) throw unauthorized({ method: 'authorization', scheme: 'basic' });
    // The password is no part of what a repetition is told by: not even its digest is kept.
    const repeatable = repeatableOf({ username, scope }, account.id);
    const granted = grantable(scope, account.scopes).join(' ');
    const work = async (tx: Transaction): Promise<Tagged<CreatedSession>> => {
      const expiresAt = Date.now() + REFRESH_TOKEN_SECONDS * 1000;
      const fields = { user_id: account.id, scope: granted, expires_at: formatTime(expiresAt) };
      const { resource, etag } = await this.sessions.insert(tx, fields);
      await this.authorize(tx, resource, account, expiresAt);
      const tokens = await issueTokens(tx, resource.id, account.id, granted);
      return { resource: { id: resource.id, ...tokens }, etag };
    };
    return this.sessions.transaction(work, { path: PATH, repeatable, replay: 'secret' });
  }

  /**
   * The caller's own; of a narrowed login that one alone; for an administrator's credential without a user everybody's.
   * @throws {ResourceNotFoundError} 404: the credential belongs to no user.
   */
  async list(caller: Principal, request: ListRequest, path: string): Promise<ListAnswer<Session>> {
    if (caller.userId === null && caller.isAdmin) return this.sessions.list(request, path, NO_PARENT);
    const own = { user_id: ownUserId(caller) };
    const parent = (await this.isNarrowed(caller)) ? { ...own, id: caller.credentialId } : own;
    return this.sessions.list(request, path, parent);
  }

  /**
   * Ends a session: its tokens are dead, at once here, within seconds elsewhere.
   * @throws {NarrowedLoginError} 403: any but its own, known or not.
   * @throws {NotOwnerError} 403: another user's, and an unknown one, unless an administrator asks.
   * @throws {ResourceNotFoundError} 404: unknown. @throws {PreconditionFailedError} 412
   */
  async remove(caller: Principal, id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    if (id !== caller.credentialId && (await this.isNarrowed(caller))) throw new NarrowedLoginError();
    if (!caller.isAdmin) await this.requireOwner(ownUserId(caller), id);
    await this.sessions.transaction(async (tx) => {
      await this.sessions.delete(tx, id, precondition, NO_PARENT);
      await this.authorizations.endWithin(tx, 'id', id);
    });
    this.authorizations.ended();
    this.audit.record('session_ended', source, id);
  }

  private async isNarrowed(caller: Principal): Promise<boolean> {
    const account = caller.userId === null ? undefined : await this.accounts.find(caller.userId);
    return account !== undefined && isNarrowedLogin(caller, account.scopes);
  }

  /** An unknown session is answered like another user's, so that the answer does not tell which exist. */
  private async requireOwner(userId: string, id: string): Promise<void> {
    if ((await this.ownerOf(id)) !== userId) throw new NotOwnerError();
  }

  private async ownerOf(id: string): Promise<string | undefined> {
    try {
      return (await this.sessions.get(id, NO_PARENT)).resource.user_id;
    } catch (error) {
      if (error instanceof ResourceNotFoundError) return undefined;
      throw error;
    }
  }

  private authorize(tx: Transaction, session: Session, account: Account, expiresAt: number): Promise<void> {
    return this.authorizations.add(tx, {
      id: session.id,
      user_id: account.id,
      client_id: FIRST_PARTY,
      grant_id: null,
      credentials_version: account.credentialsVersion,
      payload: grantPayload(account.id, FIRST_PARTY, session.scope),
      expires_at: expiresAt,
    });
  }
}
