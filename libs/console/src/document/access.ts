import type { Operation } from './openapi.js';

/** The signed-in user: `GET /users/me`. */
export interface Me {
  readonly id: string;
  readonly username: string;
  readonly role: string;
  readonly scopes: readonly string[];
}

/**
 * Whether the document lets the user call an operation.
 * @param owner The user in the path of an operation below `/users/{user_id}`.
 */
export function mayCall(operation: Operation | undefined, me: Me, owner = 'me'): boolean {
  if (operation === undefined) return false;
  // An operation without credentials, such as a login, is nothing for a user who is signed in.
  const hasScopes = operation.security?.some((needs) =>
    Object.values(needs).every((scopes) => scopes.every((scope) => me.scopes.includes(scope))),
  );
  if (hasScopes === false) return false;
  const reachedBy = operation['x-reached-by'];
  if (reachedBy === undefined || me.role === 'admin') return true;
  return reachedBy === 'owner' && (owner === 'me' || owner === me.id);
}
