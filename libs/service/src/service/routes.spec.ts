import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { logTo } from '../runtime/logging/log.js';
import { isCollectionRoutes } from '../http/nest/collection-routes.js';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';

import type { AccessRule } from '../access/auth/access-rule.js';
import { loadConfig } from '../runtime/config/load-config.js';
import { composition, createService, type Service } from './testing/fixture.testing.js';
import { UNCOUNTED_PREFIXES } from '../access/exchange/path-prefixes.js';

interface Route {
  /** Method and path, such as `GET /items/:id`. */
  readonly name: string;
  readonly rule: AccessRule | undefined;
  /** Whether requests count against a quota. */
  readonly counted: boolean;
  /** Maximum body size in bytes; undefined without @JsonBody(). */
  readonly maxBytes: number | undefined;
}

/** Paths of collections with the five routes of §4 and the two scopes of their name. */
const COLLECTIONS = ['/users', ...composition.modules.flatMap(pathsOf)];

/** Scopes of which each allows reading some events: those of collections with events, and others. */
const EVENT_READERS = [
  ...composition.modules
    .filter(({ collection }) => 'events' in collection)
    .flatMap(pathsOf)
    .map((path) => `${path.split('/').at(-1) ?? ''}:read`),
  'users:read',
  'webhooks:manage',
];

function tableOf(path: string): string[] {
  const name = path.split('/').at(-1) ?? '';
  const [read, write] = [`${name}:read`, `${name}:write`];
  return [
    `GET ${path} ${read}`,
    `POST ${path} ${write}`,
    `GET ${path}/:id ${read}`,
    `PUT ${path}/:id ${write}`,
    `DELETE ${path}/:id ${write}`,
  ];
}

function pathsOf(module: Type): string[] {
  const providers = Reflect.getMetadata(MODULE_METADATA.PROVIDERS, module) as Type[];
  return providers.filter(isCollectionRoutes).map(({ options }) => `/${options.path}`);
}

/** Returns the routes that Fastify has. */
async function routesOf({ app }: Service): Promise<Route[]> {
  const routes: Route[] = [];
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', ({ method, url, config }) => {
      if (method === 'HEAD') return;
      routes.push({
        name: `${String(method)} ${url}`,
        rule: config?.access?.rule,
        counted: config?.access?.counted === 'by-hook',
        maxBytes: config?.readsBody?.maxBytes,
      });
    });
  await app.init();
  return routes;
}

describe('The routes of the service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-routes-'));
  let service: Service;
  let routes: Route[];
  beforeAll(async () => {
    const config = loadConfig({
      DATABASE_URL: `sqlite:${join(folder, 'items.sqlite')}`,
      ADMIN_API_KEY: 'a'.repeat(32),
    });
    service = await createService(config, logTo({ write: () => undefined }));
    routes = await routesOf(service);
  });
  afterAll(async () => {
    await service.app.close();
    rmSync(folder, { recursive: true });
  });

  it('each declare exactly one access rule (§5)', () => {
    expect(routes.length).toBeGreaterThan(50);
    expect(routes.filter(({ rule }) => rule === undefined)).toEqual([]);
  });

  it('are the table of §4 and of SPEC §5.3, with their scopes', () => {
    const table = routes.filter(({ rule }) => rule !== 'public').map(({ name, rule }) => `${name} ${String(rule)}`);
    const own = [
      'DELETE /api-keys/:id keys:manage',
      'DELETE /clients/:id clients:manage',
      'DELETE /sessions/:id first-party',
      'DELETE /users/me/grants/:id authenticated',
      'GET /api-keys keys:manage',
      'GET /api-keys/:id keys:manage',
      'GET /clients clients:manage',
      'GET /clients/:id clients:manage',
      'DELETE /webhooks/:id webhooks:manage',
      'GET /audit-events audit:read',
      'GET /audit-events/:id audit:read',
      `GET /events ${EVENT_READERS.join()}`,
      `GET /events/:id ${EVENT_READERS.join()}`,
      'GET /webhooks webhooks:manage',
      'GET /webhooks/:id webhooks:manage',
      'GET /webhooks/:webhook_id/deliveries webhooks:manage',
      'GET /webhooks/:webhook_id/deliveries/:id webhooks:manage',
      'POST /webhooks webhooks:manage',
      'POST /webhooks/:id/pings webhooks:manage',
      'POST /webhooks/:id/replays webhooks:manage',
      'POST /webhooks/:id/rotations webhooks:manage',
      'POST /webhooks/:webhook_id/deliveries/:id/attempts webhooks:manage',
      'PUT /webhooks/:id webhooks:manage',
      'GET /sessions first-party',
      'POST /api-keys keys:manage',
      'GET /users/me/grants authenticated',
      'POST /api-keys/:id/rotations keys:manage',
      'POST /clients clients:manage',
      'POST /clients/:id/rotations clients:manage',
      'PUT /api-keys/:id keys:manage',
      'PUT /clients/:id clients:manage',
      'PUT /users/me/password first-party',
      'PUT /users/:id/identity users:write',
      'DELETE /users/:id/identity users:write',
    ];
    expect(table.sort()).toEqual([...COLLECTIONS.flatMap(tableOf), ...own].sort());
  });

  it('are not counted below the uncounted prefixes, nor is the OpenAPI document (SPEC §8.1)', () => {
    const uncounted = routes.filter(({ counted }) => !counted).map(({ name }) => name.replace(/^[A-Z]+ /, ''));
    const isBelow = (path: string): boolean => UNCOUNTED_PREFIXES.some((prefix) => path.startsWith(prefix));
    // The setup of the console counts against a quota by address, and its page has no prefix.
    const below = routes.map(({ name }) => name.replace(/^GET /, '')).filter(isBelow);
    expect(below.length).toBeGreaterThan(2);
    expect(
      uncounted.filter((path) => !/^\/oauth\/|^\/openapi\.json$|^\/console$|^\/favicon\.ico$/.test(path)).sort(),
    ).toEqual(below.sort());
  });

  it('take bodies of 16 KiB if they ask for a credential or may contain one, else of 1 MiB (SPEC §4.5)', () => {
    const small = /^[A-Z]+ \/(console\/setup|sessions|users(\/:id|\/me\/password)?|api-keys(\/.*)?|clients(\/.*)?)$/;
    const sizes = routes.filter(({ maxBytes }) => maxBytes !== undefined).map(({ name, maxBytes }) => [name, maxBytes]);
    expect(sizes).toEqual(sizes.map(([name]) => [name, small.test(String(name)) ? 16_384 : 1_048_576]));
    expect(sizes.filter(([, maxBytes]) => maxBytes === 16_384)).toHaveLength(11);
  });

  it('are public only where SPEC §1.1 defines it', () => {
    const open = routes.filter(({ rule }) => rule === 'public').map(({ name }) => name);
    const everyone =
      /^(GET \/(health\/(live|ready)|openapi\.json|favicon\.ico|(docs|console)(\/.*)?|\.well-known\/.*)|POST \/(sessions|console\/setup)|[A-Z]+ \/oauth\/.*)$/;
    expect(open.length).toBeGreaterThan(10);
    for (const name of open) expect(name).toMatch(everyone);
  });
});
