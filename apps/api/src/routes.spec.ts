import { Lifecycle } from '@items/http';
import { logTo } from '@items/logging';
import { bodyOf } from '@items/nest';
import { skipsThrottle } from '@items/throttling';
import { Controller, Get, Post, RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

import { AppModule } from './app.module.js';
import { declaredRules, type AccessRule } from './auth/access-rule.js';
import { Public } from './auth/public.js';
import { RequireScope } from './auth/require-scope.js';
import * as collections from './collection-modules.js';
import { loadConfig } from './config/load-config.js';
import { UNCOUNTED_PREFIXES } from './http/path-prefixes.js';

interface Route {
  /** Such as `GET /items/:id`. */
  readonly name: string;
  readonly rules: readonly AccessRule[];
  /** Whether its requests count against a quota. */
  readonly counted: boolean;
  /** Most bytes of its body; undefined where it takes none by @JsonBody(). */
  readonly maxBytes: number | undefined;
}

type Module = Type | DynamicModule;

/** What has the five routes of §4 and the two scopes of its name. */
const COLLECTIONS = ['/users', ...Object.values(collections).flatMap(pathsOf)];

/** Each lets one read some events: of those of the list that tell of their changes, and of what is not in it. */
const EVENT_READERS = [
  ...Object.values(collections)
    .filter(({ collection }) => 'events' in collection)
    .flatMap(pathsOf)
    .map((path) => `${path.split('/').at(-1) ?? ''}:read`),
  'orders:read',
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
  const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) as Type[];
  return controllers.map((controller) => join(Reflect.getMetadata(PATH_METADATA, controller) as string));
}

function routesOf(controller: Type): Route[] {
  const prefixes = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
  const handlers = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object))
    .map(({ value }): unknown => value)
    .filter((value) => typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value)) as object[];
  return handlers.flatMap((handler) => {
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
    return prefixes.flatMap((prefix) =>
      paths.map((path) => ({
        name: `${method} ${join(prefix, path)}`,
        rules: declaredRules(handler),
        counted: !skipsThrottle(controller, handler),
        maxBytes: bodyOf(handler)?.maxBytes,
      })),
    );
  });
}

function join(...parts: readonly string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}

function controllersOf(root: Module): Set<Type> {
  const seen = new Set<unknown>();
  const controllers = new Set<Type>();
  const visit = (module: Module): void => {
    if (seen.has(module)) return;
    seen.add(module);
    const dynamic = 'module' in module ? module : undefined;
    const type = dynamic?.module ?? (module as Type);
    const declared = <T>(key: string): T[] => (Reflect.getMetadata(key, type) ?? []) as T[];
    for (const controller of [...declared<Type>(MODULE_METADATA.CONTROLLERS), ...(dynamic?.controllers ?? [])]) {
      controllers.add(controller);
    }
    for (const imported of [...declared<Module>(MODULE_METADATA.IMPORTS), ...(dynamic?.imports ?? [])]) {
      visit(imported as Module);
    }
  };
  visit(root);
  return controllers;
}

/** One line for each route that does not say, or says twice, who may call it. */
function undeclared(routes: readonly Route[]): string[] {
  return routes
    .filter(({ rules }) => rules.length !== 1)
    .map(({ name, rules }) => `${name}: ${rules.length === 0 ? 'no access rule' : rules.join(' and ')}`);
}

describe('The routes of the service', () => {
  const app = AppModule.forRoot(loadConfig({}), logTo({ write: () => undefined }), new Lifecycle());
  const routes = [...controllersOf(app)].flatMap(routesOf);

  it('each declare exactly one access rule (§5)', () => {
    expect(undeclared(routes)).toEqual([]);
  });

  it('are the table of §4 and of SPEC §5.3, with their scopes', () => {
    const table = routes
      .filter(({ rules }) => !rules.includes('public'))
      .map(({ name, rules }) => `${name} ${rules.join()}`);
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
      'GET /orders orders:read',
      'GET /sessions first-party',
      'GET /users/:user_id/orders orders:read',
      'GET /users/:user_id/orders/:id orders:read',
      'GET /users/:user_id/orders/:order_id/transitions orders:read',
      'GET /users/:user_id/orders/:order_id/transitions/:id orders:read',
      'POST /api-keys keys:manage',
      'GET /users/me/grants authenticated',
      'POST /api-keys/:id/rotations keys:manage',
      'POST /clients clients:manage',
      'POST /clients/:id/rotations clients:manage',
      'POST /users/:user_id/orders orders:write',
      'POST /users/:user_id/orders/:order_id/transitions orders:write',
      'PUT /api-keys/:id keys:manage',
      'PUT /clients/:id clients:manage',
      'PUT /users/me/password first-party',
    ];
    expect(table.sort()).toEqual([...COLLECTIONS.flatMap(tableOf), ...own].sort());
  });

  it('are not counted where requests that no route takes are not either, nor the OpenAPI document (SPEC §8.1)', () => {
    const uncounted = routes.filter(({ counted }) => !counted).map(({ name }) => name.replace(/^[A-Z]+ /, ''));
    const isBelow = (path: string): boolean => UNCOUNTED_PREFIXES.some((prefix) => path.startsWith(prefix));
    const below = routes.map(({ name }) => name.replace(/^[A-Z]+ /, '')).filter(isBelow);
    expect(below.length).toBeGreaterThan(2);
    expect(uncounted.filter((path) => !/^\/oauth\/|^\/openapi\.json$/.test(path)).sort()).toEqual(below.sort());
  });

  it('take bodies of 16 KiB where a credential is asked for or given, of 1 MiB elsewhere (SPEC §4.5)', () => {
    const small = /^[A-Z]+ \/(sessions|users(\/:id|\/me\/password)?|api-keys(\/.*)?|clients(\/.*)?)$/;
    const sizes = routes.filter(({ maxBytes }) => maxBytes !== undefined).map(({ name, maxBytes }) => [name, maxBytes]);
    expect(sizes).toEqual(sizes.map(([name]) => [name, small.test(String(name)) ? 16_384 : 1_048_576]));
    expect(sizes.filter(([, maxBytes]) => maxBytes === 16_384)).toHaveLength(10);
  });

  it('are open to everyone only where SPEC §1.1 says so', () => {
    const open = routes.filter(({ rules }) => rules.includes('public')).map(({ name }) => name);
    const everyone =
      /^(GET \/(health\/(live|ready)|openapi\.json|docs(\/.*)?|\.well-known\/.*)|POST \/sessions|[A-Z]+ \/oauth\/.*)$/;
    expect(open.length).toBeGreaterThan(10);
    for (const name of open) expect(name).toMatch(everyone);
  });
});

describe('A route without exactly one access rule', () => {
  @Controller('probes')
  class ProbesController {
    @Get()
    forgotten(): void {}

    @Post(':id')
    @Public()
    @RequireScope('items:write')
    twofold(): void {}

    @Get(':id')
    @Public()
    declared(): void {}

    helper(): void {}
  }

  it('is named', () => {
    expect(undeclared(routesOf(ProbesController))).toEqual([
      'GET /probes: no access rule',
      'POST /probes/:id: items:write and public',
    ]);
  });
});
