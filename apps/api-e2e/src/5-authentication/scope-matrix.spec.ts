import { readFileSync } from 'node:fs';

import { isScope, type Scope } from '@items/dtos/contract';
import type { ErrorBody } from '@items/conventions';
import type { Answer, HttpClient } from '@items/testing';

import { anonymous } from '../harness/clients.js';
import { everyCredential, type Credential } from '../harness/every-credential.js';
import { service } from '../harness/service.js';

const UNKNOWN = '01890000-0000-7000-8000-000000000005';

/**
 * Requirement of a route: a scope, one of several scopes, any valid credential (`authenticated`), or one that no
 * application uses for its user (`first-party`). The last two require `keys:manage` of API keys.
 */
type Rule = Scope | readonly Scope[] | 'authenticated' | 'first-party';

/** Requirements of paths without a read and a write scope, for all methods. */
const MANAGED: Readonly<Record<string, Rule>> = {
  '/api-keys': 'keys:manage',
  '/api-keys/{id}': 'keys:manage',
  '/api-keys/{id}/rotations': 'keys:manage',
  '/clients': 'clients:manage',
  '/clients/{id}': 'clients:manage',
  '/clients/{id}/rotations': 'clients:manage',
  '/audit-events': 'audit:read',
  '/audit-events/{id}': 'audit:read',
  '/events': ['items:read', 'orders:read', 'users:read', 'webhooks:manage'],
  '/events/{id}': ['items:read', 'orders:read', 'users:read', 'webhooks:manage'],
  '/sessions': 'first-party',
  '/sessions/{id}': 'first-party',
  '/users/me/grants': 'authenticated',
  '/users/me/grants/{id}': 'authenticated',
  '/users/me/password': 'first-party',
  '/users/{id}/identity': 'users:write',
  '/webhooks': 'webhooks:manage',
  '/webhooks/{id}': 'webhooks:manage',
  '/webhooks/{id}/pings': 'webhooks:manage',
  '/webhooks/{id}/replays': 'webhooks:manage',
  '/webhooks/{id}/rotations': 'webhooks:manage',
  '/webhooks/{webhook_id}/deliveries': 'webhooks:manage',
  '/webhooks/{webhook_id}/deliveries/{id}': 'webhooks:manage',
  '/webhooks/{webhook_id}/deliveries/{id}/attempts': 'webhooks:manage',
};

/** Matches sub-paths of a collection, which require its scopes. */
const PART = /\/\{\w+\}\/transitions(?=\/|$)/;

interface Route {
  readonly method: string;
  readonly path: string;
  /** Undefined for a route without a known rule. */
  readonly rule: Rule | undefined;
}

/** Every protected route that the service documents, so that new ones are tested automatically. */
function protectedRoutes(): Route[] {
  const { paths } = JSON.parse(readFileSync(service.openApiFile ?? '', 'utf8')) as {
    paths: Record<string, Record<string, { readonly security?: readonly object[] }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'head', 'post', 'put', 'patch', 'delete'].flatMap((method) => {
      // HEAD is allowed wherever GET is, and is not documented separately.
      if ((item[method === 'head' ? 'get' : method]?.security ?? []).length === 0) return [];
      return [{ method: method.toUpperCase(), path, rule: ruleOf(method, path) }];
    }),
  );
}

function ruleOf(method: string, path: string): Rule | undefined {
  const [, name = ''] = /\/([a-z-]+)(?:\/\{id\})?$/.exec(path.replace(PART, '')) ?? [];
  const scope = `${name}:${method === 'get' || method === 'head' ? 'read' : 'write'}`;
  return MANAGED[path] ?? (isScope(scope) ? scope : undefined);
}

/** Returns the reason for which a 403 refuses the credential; undefined if the 403 concerns the owner of a resource. */
function refusalOf({ method, rule }: Route, answer: Answer): string | undefined {
  if (answer.status !== 403) return undefined;
  if (answer.header('www-authenticate')?.includes('insufficient_scope') === true) return 'insufficient_scope';
  if (rule !== 'first-party') return undefined;
  const isDelegated = method === 'HEAD' || (answer.json() as ErrorBody).code === 'delegated_credential';
  return isDelegated ? 'delegated_credential' : undefined;
}

function lacks(rule: Rule | undefined, scopes: ReadonlySet<Scope>, isKey: boolean): boolean {
  if (typeof rule === 'object') return !rule.some((scope) => scopes.has(scope));
  const needed = isScope(rule) ? rule : isKey ? 'keys:manage' : undefined;
  return needed !== undefined && !scopes.has(needed);
}

describe('§5 Every protected route × every kind of credential × scopes', () => {
  const routes = protectedRoutes();
  let valid: Credential[];
  const call = ({ method, path }: Route, client: HttpClient) =>
    client.send(method, path.replace(/\{\w+\}/g, UNKNOWN), { json: undefined });

  beforeAll(async () => {
    valid = await everyCredential();
  });

  it('every route declares an access rule', () => {
    expect(routes.filter(({ rule }) => rule === undefined)).toEqual([]);
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual(expect.arrayContaining(['GET /items', 'PUT /users/{id}', 'POST /api-keys/{id}/rotations']));
    expect(Object.keys(MANAGED).filter((path) => !routes.some((route) => route.path === path))).toEqual([]);
  });

  it.each(routes)('$method $path returns 401 without a valid credential', async (route) => {
    const bad = [
      anonymous,
      anonymous.withHeaders(['X-API-Key', 'itk_bad']),
      anonymous.withHeaders(['Authorization', 'Bearer bad']),
      anonymous.withHeaders(['Authorization', 'Basic YmFkOmJhZA==']),
      anonymous.withHeaders(['Authorization', 'Digest username="x"']),
    ];
    for (const client of bad) {
      const { status } = await call(route, client);
      // An account with too many failed logins may be throttled already.
      expect([401, 429]).toContain(status);
    }
  });

  it.each(routes)('$method $path needs $rule, and nothing else does', async (route) => {
    const wrong: string[] = [];
    for (const { name, scopes, client, isDelegated = false, isKey = false } of valid) {
      const answer = await call(route, client);
      const refusal = refusalOf(route, answer);
      const lacking = lacks(route.rule, scopes, isKey);
      const foreign = route.rule === 'first-party' && isDelegated;
      const expected = lacking ? 'insufficient_scope' : foreign ? 'delegated_credential' : undefined;
      if (answer.status === 401 || refusal !== expected)
        wrong.push(`${name}: ${String(answer.status)} ${refusal ?? ''}`);
    }
    expect(wrong).toEqual([]);
  });
});
