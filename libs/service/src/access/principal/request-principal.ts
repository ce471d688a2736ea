import type { FastifyRequest } from 'fastify';
import { QUEUED_AT, type ReceivedRequest } from '../../http/received-request.js';
import type { AuditSource } from '../../runtime/logging/audit.js';
import { isRowId } from '../../data/schema/row-id.js';
import type { Origin, RuleCaller } from '../../data/database/origin.js';
import type { Principal } from './principal.js';
import { FIRST_PARTY } from '../credentials/tokens/lifetimes.js';
import type { LoggedCaller } from '../../runtime/logging/access-log.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a valid credential, and before authentication. */
    principal: Principal | null;
  }
}

/** The access hook ensures a caller for every route that is not public. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route has no caller.');
  return request.principal;
}

/** Origin of a change, for audit records and the log. */
export type ChangeSource = AuditSource & Origin;

type Actor = Pick<Origin, 'actorType' | 'credentialId' | 'clientId'>;

const WITHOUT_CALLER: RuleCaller = {
  userId: null,
  credentialId: 'none',
  clientId: null,
  scopes: new Set(),
  isAdmin: false,
};

/** For a request without a credential, add the user with {@link sourceOfUser}. */
export function sourceOf({ principal, ip, id, raw }: FastifyRequest): ChangeSource {
  const actor =
    principal === null ? ({ actorType: 'user', credentialId: null, clientId: null } as const) : actorOf(principal);
  return {
    ...actor,
    actor: principal?.credentialId ?? null,
    userId: principal?.userId ?? null,
    address: ip,
    requestId: id,
    sinceMs: (raw as ReceivedRequest)[QUEUED_AT],
    caller:
      principal === null
        ? WITHOUT_CALLER
        : {
            userId: principal.userId,
            credentialId: principal.credentialId,
            clientId: actor.clientId,
            scopes: principal.scopes,
            isAdmin: principal.isAdmin,
          },
  };
}

/** Describes a change by a logged-in user, in a request without a credential. */
export function sourceOfUser(source: AuditSource, userId: string, credentialId: string | null): ChangeSource {
  return { ...source, actorType: 'user', userId, credentialId, clientId: null };
}

export function actorOf({ kind, credentialId, userId, delegatedTo, approvalId, isOutside }: Principal): Actor {
  const clientId = delegatedTo ?? null;
  if (kind === 'api-key') return { actorType: 'api_key', credentialId, clientId };
  if (kind === 'basic') return { actorType: 'user', credentialId: null, clientId: null };
  if (kind === 'strategy') return { actorType: 'user', credentialId, clientId: null };
  if (isOutside === true) return { actorType: 'user', credentialId: null, clientId: null };
  if (userId !== null) return { actorType: 'user', credentialId: approvalId ?? credentialId, clientId };
  if (isRowId(credentialId)) return { actorType: 'client', credentialId: null, clientId: credentialId };
  return { actorType: 'outside', credentialId: null, clientId: null };
}

export function loggedCaller(request: FastifyRequest): LoggedCaller | undefined {
  // `principal` is undefined if the router could not read the request.
  const principal = request.principal as Principal | null | undefined;
  if (!principal) return undefined;
  const { actorType, credentialId, clientId } = actorOf(principal);
  // Logins by a session or by a strategy of the app have no client. The log names the built-in client for them.
  const isFirstParty = actorType === 'user' && credentialId !== null && clientId === null;
  return {
    credentialId: principal.credentialId,
    userId: principal.userId,
    clientId: isFirstParty ? FIRST_PARTY : clientId,
  };
}
