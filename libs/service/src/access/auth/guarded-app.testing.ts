import { ErrorFilter } from '@items/exception-filter';
import { logTo } from '../../runtime/logging/log.js';
import { LoggingModule } from '../../runtime/logging/logging.module.js';
import { Database } from '../../for-store.js';
import { HttpClient, type HttpClientOptions } from '@items/testing';
import { Controller, Get, type ModuleMetadata } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';

import type { Config } from '../../runtime/config/config.js';
import { ConfigModule } from '../../runtime/config/config.module.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { AccessTable } from './access-table.js';
import { AuthModule, AuthTablesModule } from './auth.module.js';
import { Public, RequireScope } from './decorators.js';
import { AuthStrategies } from './strategies/auth-strategies.js';
import { Uncounted } from './route-access.js';
import { RouteRules } from './route-rules.js';

import { permissions } from '../../service/testing/fixture.testing.js';

@Controller()
class ProbeController {
  @Get('read')
  @RequireScope('items:read')
  read(): string {
    return 'read';
  }

  @Get('write')
  @RequireScope('items:write')
  write(): string {
    return 'written';
  }

  @Get('public')
  @Public()
  open(): string {
    return 'open';
  }

  @Get('exempt')
  @Public()
  @Uncounted()
  exempt(): string {
    return 'exempt';
  }
}

/** An app with the access hook and a controller of four routes. */
export interface GuardedApp {
  readonly app: NestFastifyApplication;
  client(options?: Partial<HttpClientOptions>): HttpClient;
  close(): Promise<void>;
}

/** @param database The app does not close it. @param parts Parts of the module with the routes. */
export async function startGuardedApp(
  database: Database,
  changes: Partial<Config> = {},
  parts: ModuleMetadata = { controllers: [ProbeController] },
): Promise<GuardedApp> {
  const config = { ...loadConfig({ ADMIN_API_KEY: 'a'.repeat(32) }), ...changes };
  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(config),
      AuthTablesModule.forRoot(permissions, new AuthStrategies(config), new AccessTable()),
      LoggingModule.forRoot(logTo({ write: () => undefined })),
      { module: class {}, global: true, providers: [{ provide: Database, useValue: database }], exports: [Database] },
      ThrottlingModule,
      AuthModule.forRoot({ bearerTokens: [] }),
    ],
    controllers: parts.controllers ?? [],
    providers: parts.providers ?? [],
  }).compile();
  const adapter = new FastifyAdapter(config.trustProxy.length > 0 ? { trustProxy: [...config.trustProxy] } : {});
  new RouteRules(permissions, new AccessTable(), { hasListeners: false }).install(adapter.getInstance());
  const app = module.createNestApplication<NestFastifyApplication>(adapter);
  app.useLogger(false);
  app.useGlobalFilters(new ErrorFilter(app, { onError: () => undefined }));
  await app.listen(0, '127.0.0.1');
  const baseUrl = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return { app, client: (options = {}) => new HttpClient({ baseUrl, ...options }), close: () => app.close() };
}

/** Inserts a key, as its collection would. */
export async function putKey(
  database: Database,
  key: { readonly id: string; readonly hash: string; readonly scopes: readonly string[] } & Partial<{
    readonly expiresAt: number;
    readonly rateLimit: object;
  }>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO api_keys (id, name, scopes, expires_at, rate_limit, last_used_at, created_at, updated_at, lane, seq)
       VALUES ($1, 'probe', $2, $3, $4, NULL, 0, 0, 0, 1)`,
      [
        key.id,
        JSON.stringify(key.scopes),
        key.expiresAt ?? null,
        key.rateLimit === undefined ? null : JSON.stringify(key.rateLimit),
      ],
    );
    await tx.query('INSERT INTO api_key_secrets (hash, api_key_id, created_at) VALUES ($1, $2, 0)', [key.hash, key.id]);
  });
}
