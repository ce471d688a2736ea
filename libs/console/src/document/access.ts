import type { Operation } from './openapi.js';

export interface Me {
  readonly id: string;
  readonly username: string;
  readonly role: string;
  readonly scopes: readonly string[];
}

/**
 * Whether the document lets the user call an operation.
 * @param path `/users/<id>/…` names the owner; any other path counts as the user's own.
 */
export function mayCall(operation: Operation | undefined, me: Me, path: string): boolean {
  if (operation === undefined) return false;
  // Refuses an operation that takes no credential, such as a login: the user is already signed in.
  const hasScopes = operation.security?.some((needs) =>
    Object.values(needs).every((scopes) => scopes.every((scope) => me.scopes.includes(scope))),
  );
  if (hasScopes === false) return false;
  const reachedBy = operation['x-reached-by'];
  if (reachedBy === undefined || me.role === 'admin') return true;
  const [, owner = 'me'] = /^\/users\/([^/]+)\//.exec(path) ?? [];
  return reachedBy === 'owner' && (owner === 'me' || owner === me.id);
}
