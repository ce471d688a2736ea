import { GRANT_TYPES, ROLE_SCOPES, ROLES, SCOPES, type Role, type Scope } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { admin, clientWith, createKey, withKey } from './clients.js';
import { oauthClient, type OauthClient } from './oauth-client.js';
import { approve, clientToken, issuerOf, logIn, withToken } from './tokens.js';
import { createUser, withBasic } from './users.js';

/** A client, and the effective scopes of its credential. */
export interface Credential {
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly client: HttpClient;
  /** If true, an application uses the credential to act for a user. */
  readonly isDelegated?: boolean;
  readonly isKey?: boolean;
}

/** Narrow sets: each scope alone, and all scopes except one. */
const NARROW: readonly (readonly [name: string, scopes: readonly Scope[]])[] = SCOPES.flatMap((scope) => [
  [scope, [scope]],
  [`all but ${scope}`, SCOPES.filter((other) => other !== scope)],
]);

/** Returns true if a user may grant the scope to an application. SPEC §3 */
function isDelegable(scope: Scope): boolean {
  return !['users:write', 'clients:manage', 'webhooks:manage', 'audit:read'].includes(scope);
}

/** Creates a credential of each kind with each narrow set of scopes, and for each role. SPEC §5.2 */
export async function everyCredential(): Promise<Credential[]> {
  const grantTypes = { grant_types: GRANT_TYPES, scopes: SCOPES };
  const application = await oauthClient(await issuerOf(), admin, grantTypes);
  try {
    return [
      { name: 'key without scopes', scopes: new Set(), client: await clientWith(), isKey: true },
      ...(await narrow(application)),
      ...(await ofRoles(application)),
    ];
  } finally {
    await application.close();
  }
}

async function narrow(application: OauthClient): Promise<Credential[]> {
  const made: Credential[] = [];
  for (const [name, list] of NARROW) {
    // Each set has its own user, because the logins of one user share a quota.
    const { username } = await createUser({ role: 'admin' });
    const scopes = new Set(list);
    const token = await clientToken(application, list);
    const session = await logIn(username, list);
    made.push(
      { name: `key with ${name}`, scopes, client: await clientWith(...list), isKey: true },
      { name: `client_credentials with ${name}`, scopes, client: withToken(token) },
      { name: `session with ${name}`, scopes, client: withToken(session.access_token) },
    );
    const delegable = list.filter(isDelegable);
    if (delegable.length === 0) continue;
    const approval = await approve(application, username, delegable);
    made.push({
      name: `authorization code with ${name}`,
      scopes: new Set(delegable),
      client: withToken(approval.access_token),
      isDelegated: true,
    });
  }
  return made;
}

/** Creates credentials that request all scopes, but get only those of the role. */
async function ofRoles(application: OauthClient): Promise<Credential[]> {
  const made = await Promise.all(ROLES.map((role) => ofRole(application, role)));
  return made.flat();
}

async function ofRole(application: OauthClient, role: Role): Promise<Credential[]> {
  const { username } = await createUser({ role });
  const scopes = ROLE_SCOPES[role];
  const basic = withBasic(username);
  const session = await logIn(username, SCOPES);
  const approval = await approve(application, username, SCOPES);
  const delegated = new Set([...scopes].filter(isDelegable));
  const made: Credential[] = [
    { name: `Basic, ${role}`, scopes, client: basic },
    { name: `session of a ${role}`, scopes, client: withToken(session.access_token) },
    {
      name: `authorization code of a ${role}`,
      scopes: delegated,
      client: withToken(approval.access_token),
      isDelegated: true,
    },
  ];
  if (!scopes.has('keys:manage')) return made;
  const { key } = await createKey({ scopes: [...scopes] }, basic);
  return [...made, { name: `key of a ${role}`, scopes, client: withKey(key), isKey: true }];
}
