import { readFileSync } from 'node:fs';

import { isScope, type Scope } from '@items/contracts';
import type { HttpClient } from '@items/testing';

import { anonymous } from '../harness/clients.js';
import { everyCredential, type Credential } from '../harness/every-credential.js';
import { service } from '../harness/service.js';

const UNKNOWN = '01890000-0000-7000-8000-000000000005';

/** What a route asks for: a scope, or any valid credential. */
type Rule = Scope | 'any credential';

/** The paths that are no collection of §4 with a reading and a writing scope: what all their methods ask for. */
const MANAGED: Readonly<Record<string, Rule>> = {
  '/api-keys': 'keys:manage',
  '/api-keys/{id}': 'keys:manage',
  '/api-keys/{id}/rotations': 'keys:manage',
  '/clients': 'clients:manage',
  '/clients/{id}': 'clients:manage',
  '/clients/{id}/rotations': 'clients:manage',
  '/sessions': 'any credential',
  '/sessions/{id}': 'any credential',
  '/users/me/grants': 'any credential',
  '/users/me/grants/{id}': 'any credential',
  '/users/me/password': 'any credential',
};

/** What belongs to a collection, and has its scopes. */
const PART = /\/\{\w+\}\/transitions(?=\/|$)/;

interface Route {
  readonly method: string;
  readonly path: string;
  /** Undefined for a route that nobody expects. */
  readonly rule: Rule | undefined;
}

/** Every protected route that the service documents: a new one is under test by being there. */
function protectedRoutes(): Route[] {
  const { paths } = JSON.parse(readFileSync(service.openApiFile ?? '', 'utf8')) as {
    paths: Record<string, Record<string, { readonly security?: readonly object[] }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'head', 'post', 'put', 'patch', 'delete'].flatMap((method) => {
      if ((item[method]?.security ?? []).length === 0) return [];
      return [{ method: method.toUpperCase(), path, rule: ruleOf(method, path) }];
    }),
  );
}

function ruleOf(method: string, path: string): Rule | undefined {
  const [, name = ''] = /\/([a-z-]+)(?:\/\{id\})?$/.exec(path.replace(PART, '')) ?? [];
  const scope = `${name}:${method === 'get' || method === 'head' ? 'read' : 'write'}`;
  return MANAGED[path] ?? (isScope(scope) ? scope : undefined);
}

describe('§5 Every protected route × every kind of credential × scopes', () => {
  const routes = protectedRoutes();
  let valid: Credential[];
  const call = ({ method, path }: Route, client: HttpClient) =>
    client.send(method, path.replace(/\{\w+\}/g, UNKNOWN), { json: undefined });

  beforeAll(async () => {
    valid = await everyCredential();
  });

  it('says of every route what it asks for', () => {
    expect(routes.filter(({ rule }) => rule === undefined)).toEqual([]);
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual(expect.arrayContaining(['GET /items', 'PUT /users/{id}', 'POST /api-keys/{id}/rotations']));
    expect(Object.keys(MANAGED).filter((path) => !routes.some((route) => route.path === path))).toEqual([]);
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

  it.each(routes)('$method $path needs $rule, and nothing else does', async (route) => {
    const wrong: string[] = [];
    for (const { name, scopes, client } of valid) {
      const answer = await call(route, client);
      const challenge = answer.header('www-authenticate') ?? '';
      const isRefused = answer.status === 403 && challenge.includes('insufficient_scope');
      const isAllowed = route.rule === 'any credential' || scopes.has(route.rule!);
      if (answer.status === 401 || isRefused === isAllowed) wrong.push(`${name}: ${String(answer.status)}`);
    }
    expect(wrong).toEqual([]);
  });
});
