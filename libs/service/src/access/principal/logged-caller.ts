import type { FastifyRequest } from 'fastify';

import { FIRST_PARTY } from '../credentials/tokens/lifetimes.js';
import type { LoggedCaller } from '../../runtime/logging/access-log.js';
import type { Principal } from './principal.js';
import { actorOf } from './request-principal.js';

export function loggedCaller(request: FastifyRequest): LoggedCaller | undefined {
  // Undefined for a request that the router could not read.
  const principal = request.principal as Principal | null | undefined;
  if (!principal) return undefined;
  const { actorType, credentialId, clientId } = actorOf(principal);
  // Audit records store a session as a user with a credential and without a client.
  const isSession = actorType === 'user' && credentialId !== null && clientId === null;
  return {
    credentialId: principal.credentialId,
    userId: principal.userId,
    clientId: isSession ? FIRST_PARTY : clientId,
  };
}
