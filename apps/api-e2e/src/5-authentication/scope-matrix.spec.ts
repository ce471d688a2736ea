import { readFileSync } from 'node:fs';

import { ROLE_SCOPES, ROLES, SCOPES, type Scope } from '@items/contracts';
import type { HttpClient } from '@items/testing';

import { anonymous, clientWith, createKey, withKey } from '../harness/clients.js';
import { service } from '../harness/service.js';
import { createUser, withBasic } from '../harness/users.js';

const UNKNOWN = '01890000-0000-7000-8000-000000000005';

interface Operation {
  readonly security?: readonly object[];
  readonly 'x-required-scope'?: Scope;
}

interface Route {
  readonly method: string;
  readonly path: string;
  /** Undefined where any valid credential does. */
  readonly scope: Scope | undefined;
}

/** A client, and the scopes that its credential has in effect. */
interface Credential {
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly client: HttpClient;
}

/** Every protected route that the service documents: a new one is under test by being there. */
function protectedRoutes(): Route[] {
  const { paths } = JSON.parse(readFileSync(service.openApiFile ?? '', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'head', 'post', 'put', 'delete'].flatMap((method) => {
      const operation = item[method];
      if (operation?.security === undefined || operation.security.length === 0) return [];
      return [{ method: method.toUpperCase(), path, scope: operation['x-required-scope'] }];
    }),
  );
}

async function credentials(): Promise<Credential[]> {
  const made: Credential[] = [{ name: 'key without scopes', scopes: new Set(), client: await clientWith() }];
  for (const scope of SCOPES) {
    made.push({ name: `key with ${scope}`, scopes: new Set([scope]), client: await clientWith(scope) });
    const others = SCOPES.filter((other) => other !== scope);
    made.push({ name: `key with all but ${scope}`, scopes: new Set(others), client: await clientWith(...others) });
  }
  for (const role of ROLES) {
    const { username } = await createUser({ role });
    const client = withBasic(username);
    made.push({ name: `Basic, ${role}`, scopes: ROLE_SCOPES[role], client });
    if (!ROLE_SCOPES[role].has('keys:manage')) continue;
    const scopes = [...ROLE_SCOPES[role]];
    made.push({
      name: `key of a ${role}`,
      scopes: new Set(scopes),
      client: withKey((await createKey({ scopes }, client)).key),
    });
  }
  return made;
}

describe('§5 Every protected route × every kind of credential × scopes', () => {
  const routes = protectedRoutes();
  let valid: Credential[];
  const call = ({ method, path }: Route, client: HttpClient) =>
    client.send(method, path.replace(/\{\w+\}/g, UNKNOWN), { json: undefined });

  beforeAll(async () => {
    valid = await credentials();
  }, 60_000);

  it('covers the routes of items, users and keys', () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual(expect.arrayContaining(['GET /items', 'PUT /users/{id}', 'POST /api-keys/{id}/rotations']));
  });

  it.each(routes)('$method $path answers 401 without a valid credential', async (route) => {
    const bad = [
      anonymous,
      anonymous.with(['X-API-Key', 'itk_bad']),
      anonymous.with(['Authorization', 'Bearer bad']),
      anonymous.with(['Authorization', 'Basic YmFkOmJhZA==']),
      anonymous.with(['Authorization', 'Digest username="x"']),
    ];
    for (const client of bad) {
      const { status } = await call(route, client);
      // A password that was guessed too often may be throttled already.
      expect([401, 429]).toContain(status);
    }
  });

  it.each(routes)('$method $path needs $scope, and nothing else does', async (route) => {
    const wrong: string[] = [];
    for (const { name, scopes, client } of valid) {
      const answer = await call(route, client);
      const challenge = answer.header('www-authenticate') ?? '';
      const isRefused = answer.status === 403 && challenge.includes('insufficient_scope');
      const isAllowed = route.scope === undefined || scopes.has(route.scope);
      if (answer.status === 401 || isRefused === isAllowed) wrong.push(`${name}: ${String(answer.status)}`);
    }
    expect(wrong).toEqual([]);
  });
});
