import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { API_VERSION } from '@items/dtos/contract';
import { ConfigError } from '../settings/config-error.js';
import { certificateFiles, TEST_CERTIFICATE } from '@items/testing';

import { versions } from '../../http/versions/supported-versions.js';
import { loadConfig } from './load-config.js';

const folder = mkdtempSync(join(tmpdir(), 'items-config-'));
const pem = join(folder, 'some.pem');
writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n');
const certificate = certificateFiles();
const otherKey = join(folder, 'other-key.pem');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
writeFileSync(otherKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));

afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a login configuration with one member replaced. */
function oidcWith(other: object): string {
  return JSON.stringify({ issuer: 'https://l.example', client_id: 'a', client_secret: 'b', name: 'c', ...other });
}

describe('A variable in a file', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, `${'k'.repeat(40)}\n`);

  it('has the text of the file without the end of the line', () => {
    expect(loadConfig({ ADMIN_API_KEY_FILE: file }).adminApiKey).toBe('k'.repeat(40));
    expect(() => loadConfig({ PORT_FILE: file })).toThrow(/^PORT must be /);
  });

  it('stops the start if the file is missing, or the variable is set too', () => {
    const example = 'for example ADMIN_API_KEY_FILE=/run/secrets/admin_api_key.';
    expect(() => loadConfig({ ADMIN_API_KEY_FILE: `${file}-missing` })).toThrow(
      `ADMIN_API_KEY_FILE must be the path of a readable file, ${example}`,
    );
    expect(() => loadConfig({ ADMIN_API_KEY_FILE: file, ADMIN_API_KEY: 'k'.repeat(32) })).toThrow(
      `ADMIN_API_KEY_FILE and ADMIN_API_KEY exclude each other, ${example}`,
    );
  });
});

describe('configuration', () => {
  afterAll(() => {
    certificate.remove();
  });

  it('has a default for every variable', () => {
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      metricsPort: undefined,
      healthPort: undefined,
      database: { dialect: 'sqlite', file: './data/items.sqlite' },
      databaseReadUrl: undefined,
      redisUrl: undefined,
      adminApiKey: undefined,
      rateLimit: { requests: 600, seconds: 60 },
      anonymousRateLimit: { requests: 60, seconds: 60 },
      baseUrl: 'http://localhost:3000',
      authMethods: ['api-key', 'basic', 'bearer'],
      passwordLogin: true,
      console: true,
      consoleColor: undefined,
      corsOrigins: [],
      corsHeaders: [],
      firstPartyRedirects: [],
      currency: 'USD',
      cursorTtlMs: 3_600_000,
      cursorSecrets: [],
      events: {
        apiVersion: API_VERSION,
        keptMs: 30 * 86_400_000,
        off: false,
        partitionMs: 86_400_000,
        auditKeptMs: 7_776_000_000,
      },
      versions,
      webhooks: {
        keys: [],
        allow: [],
        dns: undefined,
        policy: {
          retriesMs: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000),
          disableAfterMs: 5 * 86_400_000,
        },
      },
      requireHttps: false,
      tls: undefined,
      tlsPaths: undefined,
      oauthIssuers: [],
      oidcLogin: undefined,
      serviceName: 'items',
      reusePort: false,
      notices: [],
      trustProxy: [],
      stopDelayMs: 1000,
      logLevel: 'info',
      logAddresses: true,
      slowMs: 500,
      warmUpMs: 1500,
      tracing: false,
      maintenanceSeconds: undefined,
    });
  });

  it.each([{ DATABASE_URL: 'postgres://db/items' }, { REDIS_URL: 'redis://cache' }])(
    'gives balancers seven seconds to notice a stop, if there may be several instances: %j',
    (env) => {
      expect(loadConfig(env).stopDelayMs).toBe(7000);
    },
  );

  it('reads every variable', () => {
    const secret = 'x'.repeat(32);
    expect(
      loadConfig({
        PORT: '8443',
        HOST: '0.0.0.0',
        DATABASE_URL: 'postgres://me@db1,db2/items?target_session_attrs=read-write',
        MIGRATION_DATABASE_URL: 'postgres://owner@db1,db2/items',
        DATABASE_READ_URL: 'postgres://me@standby1,standby2/items',
        REDIS_URL: 'redis://cache:6379/2',
        ADMIN_API_KEY: secret,
        RATE_LIMIT: '5/1',
        RATE_LIMIT_ANONYMOUS: '7/2',
        BASE_URL: 'https://api.example.com/',
        CORS_ORIGINS: 'https://a.example, http://localhost:5173',
        CORS_HEADERS: 'X-Tenant',
        AUTH_METHODS: 'bearer, api-key',
        PASSWORD_LOGIN: 'off',
        CONSOLE: 'off',
        CONSOLE_COLOR: '#B45309',
        FIRST_PARTY_REDIRECTS: 'https://a.example/done, http://127.0.0.1:8080/done',
        CURRENCY: 'EUR',
        CURSOR_TTL: '60',
        CURSOR_SECRET: `${secret},${'y'.repeat(32)}`,
        EVENTS: 'off',
        EVENT_DAYS: '0.5',
        PARTITION_SECONDS: '60',
        AUDIT_DAYS: '1',
        WEBHOOK_KEY: `${secret},${'z'.repeat(32)}`,
        WEBHOOK_ALLOW: '127.0.0.0/8, fd00::/8',
        WEBHOOK_DNS: '127.0.0.1:5353',
        WEBHOOK_RETRIES: '0.5,10',
        WEBHOOK_DISABLE_AFTER: '60',
        REQUIRE_HTTPS: 'true',
        ...certificate.env,
        OAUTH_ISSUERS: JSON.stringify([
          {
            issuer: 'https://login.example',
            audience: 'items',
            scope_map: { reader: ['items:read'] },
            subject_claim: 'oid',
          },
        ]),
        OIDC_LOGIN: JSON.stringify({
          issuer: 'https://login.example',
          client_id: 'items',
          client_secret: 'secret',
          name: 'Example',
          scopes: ['groups'],
          username_claim: 'email',
          role_claim: 'groups',
          role_map: { staff: 'member' },
          default_role: null,
          require: { org: ['a'], email_verified: true },
          sync_role: true,
        }),
        REUSE_PORT: 'on',
        TRUST_PROXY: '10.0.0.0/8,::1',
        MIGRATE: 'off',
        LOG_ADDRESSES: 'off',
        STOP_DELAY: '20',
        METRICS_PORT: '9464',
        HEALTH_PORT: '3001',
        LOG_LEVEL: 'warn',
        SLOW_MS: '100',
        WARM_UP_MS: '0',
        MAINTENANCE: '300',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      }),
    ).toEqual({
      port: 8443,
      host: '0.0.0.0',
      metricsPort: 9464,
      healthPort: 3001,
      database: {
        dialect: 'postgres',
        url: 'postgres://me@db1,db2/items?target_session_attrs=read-write',
        migrationUrl: 'postgres://owner@db1,db2/items',
        isMigratedElsewhere: true,
      },
      databaseReadUrl: 'postgres://me@standby1,standby2/items',
      redisUrl: 'redis://cache:6379/2',
      adminApiKey: secret,
      rateLimit: { requests: 5, seconds: 1 },
      anonymousRateLimit: { requests: 7, seconds: 2 },
      baseUrl: 'https://api.example.com',
      corsOrigins: ['https://a.example', 'http://localhost:5173'],
      corsHeaders: ['X-Tenant'],
      authMethods: ['api-key', 'bearer'],
      passwordLogin: false,
      console: false,
      consoleColor: '#B45309',
      firstPartyRedirects: ['https://a.example/done', 'http://127.0.0.1:8080/done'],
      currency: 'EUR',
      cursorTtlMs: 60_000,
      cursorSecrets: [secret, 'y'.repeat(32)],
      events: { apiVersion: API_VERSION, keptMs: 43_200_000, off: true, partitionMs: 60_000, auditKeptMs: 86_400_000 },
      versions,
      webhooks: {
        keys: [secret, 'z'.repeat(32)],
        allow: ['127.0.0.0/8', 'fd00::/8'],
        dns: '127.0.0.1:5353',
        policy: { retriesMs: [500, 10_000], disableAfterMs: 60_000 },
      },
      requireHttps: true,
      tls: TEST_CERTIFICATE,
      tlsPaths: { cert: certificate.env.TLS_CERT, key: certificate.env.TLS_KEY },
      oauthIssuers: [
        {
          issuer: 'https://login.example',
          audience: ['items'],
          jwksUri: undefined,
          scopeClaim: 'scope',
          scopeMap: new Map([['reader', ['items:read']]]),
          subjectClaim: 'oid',
        },
      ],
      oidcLogin: {
        issuer: 'https://login.example',
        clientId: 'items',
        clientSecret: 'secret',
        name: 'Example',
        scopes: 'openid groups',
        subjectClaim: 'sub',
        usernameClaim: 'email',
        roleClaim: 'groups',
        roleMap: new Map([['staff', 'member']]),
        defaultRole: null,
        require: new Map<string, unknown>([
          ['org', ['a']],
          ['email_verified', [true]],
        ]),
        syncRole: true,
        only: true,
      },
      serviceName: 'items',
      reusePort: true,
      notices: [],
      trustProxy: ['10.0.0.0/8', '::1'],
      stopDelayMs: 20_000,
      logLevel: 'warn',
      logAddresses: false,
      slowMs: 100,
      warmUpMs: 0,
      tracing: true,
      maintenanceSeconds: 300,
    });
  });

  it('makes at most 60 partitions by default, because PostgreSQL locks each of them for a statement', () => {
    const daysOf = (days: string): number => Number(loadConfig({ EVENT_DAYS: days }).events.partitionMs) / 86_400_000;
    expect(['30', '60', '61', '365'].map(daysOf)).toEqual([1, 1, 2, 7]);
  });

  it('requires HTTPS in production by default', () => {
    expect(loadConfig({ NODE_ENV: 'production' }).requireHttps).toBe(true);
    expect(loadConfig({ NODE_ENV: 'production', REQUIRE_HTTPS: 'false' }).requireHttps).toBe(false);
  });

  it.each([
    'redis+sentinel://u:p@h1:26379,h2/1?master=shop',
    'redis+sentinel://[::1]:1/shop/0',
    'redis+sentinel://h/shop',
  ])('accepts Sentinels for Redis: %s', (url) => {
    expect(loadConfig({ REDIS_URL: url }).redisUrl).toBe(url);
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(loadConfig({}));
  });

  it('ignores WORKERS=1, the former default, with a sentence for the log', () => {
    expect(loadConfig({ WORKERS: '1' }).notices).toEqual(['WORKERS=1 has no effect: remove it.']);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '3e3'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://localhost/items'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'postgres://:::'],
    ['REDIS_URL', 'http://cache:6379'],
    ['REDIS_URL', 'cache:6379'],
    ['REDIS_URL', 'redis://cache:6379/abc'],
    ['REDIS_URL', 'redis://cache:6379/1/2'],
    ['REDIS_URL', 'redis://cache:6379?db=abc'],
    ['REDIS_URL', 'redis+sentinel://h1,h2/0'],
    ['REDIS_URL', 'redis+sentinel://h1,,h2/0?master=shop'],
    ['REDIS_URL', 'redis+sentinel://h1:port/0?master=shop'],
    ['REDIS_URL', 'redis+sentinel://h1/shop/0/1'],
    ['REDIS_URL', 'redis+sentinel://?master=shop'],
    ['ADMIN_API_KEY', 'x'.repeat(31)],
    ['ADMIN_API_KEY', `${'x'.repeat(32)} y`],
    ['ADMIN_API_KEY', `"${'x'.repeat(32)}"`],
    ['ADMIN_API_KEY', `'${'x'.repeat(32)}'`],
    ['ADMIN_API_KEY', `${'x'.repeat(32)}"`],
    ['EVENTS', 'sometimes'],
    ['EVENT_DAYS', '0'],
    ['EVENT_DAYS', '-1'],
    ['EVENT_DAYS', '3651'],
    ['EVENT_DAYS', '1e1'],
    ['WEBHOOK_KEY', 'short'],
    ['WEBHOOK_ALLOW', '127.0.0.1/40'],
    ['WEBHOOK_DNS', 'resolver.example:53'],
    ['WEBHOOK_DNS', '127.0.0.1'],
    ['WEBHOOK_RETRIES', '5,soon'],
    ['WEBHOOK_RETRIES', '0'],
    ['WEBHOOK_DISABLE_AFTER', '-1'],
    ['RATE_LIMIT', '600'],
    ['RATE_LIMIT', '0/60'],
    ['RATE_LIMIT', '600/0'],
    ['RATE_LIMIT_ANONYMOUS', '60/minute'],
    ['BASE_URL', 'api.example.com'],
    ['BASE_URL', 'https://api.example.com?a=b'],
    ['BASE_URL', 'https://api.example.com/?'],
    ['BASE_URL', 'https://api.example.com#a'],
    ['BASE_URL', 'https://user:password@api.example.com'],
    ['BASE_URL', 'https://@api.example.com'],
    ['CORS_HEADERS', '*'],
    ['CORS_HEADERS', 'X-Tenant: 1'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://a.example/'],
    ['AUTH_METHODS', 'api-key,password'],
    ['AUTH_METHODS', ','],
    ['AUTH_METHODS', 'Basic'],
    ['PASSWORD_LOGIN', 'off'],
    ['PASSWORD_LOGIN', 'never'],
    ['CURRENCY', 'usd'],
    ['CURRENCY', 'XYZ1'],
    ['CURSOR_TTL', '0'],
    ['CURSOR_SECRET', 'short'],
    ['REQUIRE_HTTPS', 'maybe'],
    ['TLS_CERT', join(folder, 'missing.pem')],
    ...[
      'https://login.example',
      '[]',
      '{}',
      oidcWith({ issuer: 'http://login.example' }),
      oidcWith({ client_secret: undefined }),
      oidcWith({ name: 5 }),
      oidcWith({ typo: true }),
      oidcWith({ scopes: [] }),
      oidcWith({ role_map: { staff: 'member' } }),
      oidcWith({ role_claim: 'groups', role_map: { staff: 'owner' } }),
      oidcWith({ default_role: 'owner' }),
      oidcWith({ require: { org: [] } }),
      oidcWith({ require: ['org'] }),
      oidcWith({ sync_role: 'yes' }),
      oidcWith({ only: 1 }),
    ].map((value): [string, string] => ['OIDC_LOGIN', value]),
    ['OAUTH_ISSUERS', 'https://login.example'],
    ['OAUTH_ISSUERS', '[{}]'],
    ['OAUTH_ISSUERS', '[{"issuer":"https://login.example"}]'],
    ['OAUTH_ISSUERS', '[{"issuer":"http://login.example","audience":"items"}]'],
    ['OAUTH_ISSUERS', '[{"issuer":"https://login.example","audience":"items","jwks":"typo"}]'],
    ['OAUTH_ISSUERS', '[{"issuer":"https://login.example","audience":"items","scope_map":{"a":["everything"]}}]'],
    ['OAUTH_ISSUERS', '[{"issuer":"https://login.example","audience":"items","jwks_uri":"http://login.example/keys"}]'],
    [
      'OAUTH_ISSUERS',
      '[{"issuer":"https://login.example","audience":"items","jwks_uri":"http://127.0.0.1:8080/keys"}]',
    ],
    [
      'OAUTH_ISSUERS',
      '[{"issuer":"https://login.example","audience":"a"},{"issuer":"https://login.example","audience":"b"}]',
    ],
    ['DATABASE_URL', 'postgres://h1:a,h2/items'],
    ['DATABASE_URL', 'postgres://h1,h2/items?target_session_attrs=standby'],
    ['MIGRATION_DATABASE_URL', 'postgres://db/items'],
    ['DATABASE_READ_URL', 'postgres://standby/items'],
    ['PARTITION_SECONDS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['SLOW_MS', '0'],
    ['WARM_UP_MS', '60001'],
    ['MAINTENANCE', 'on'],
    ['MAINTENANCE', '0'],
    ['STOP_DELAY', '301'],
    ['STOP_DELAY', '1.5'],
    ['METRICS_PORT', '65536'],
    ['METRICS_PORT', 'on'],
    ['METRICS_PORT', '3000'],
    ['HEALTH_PORT', '3000'],
    ['HEALTH_PORT', 'live'],
    ['WORKERS', '0'],
    ['WORKERS', '2'],
    ['REUSE_PORT', 'on'],
    ['REUSE_PORT', '2'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '10.0.0.0/33'],
  ])('refuses %s=%s with one sentence that names the variable and gives an example', (name, value) => {
    const load = () => loadConfig({ [name]: value, ...(name === 'TLS_CERT' && { TLS_KEY: pem }) });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(new RegExp(`^${name} [^\\n]+, for example ${name}=.+\\.$`));
  });

  it.each([
    ['OIDC_LOGIN', oidcWith({})],
    ['OAUTH_ISSUERS', '[{"issuer":"https://login.example","audience":"items"}]'],
    ['FIRST_PARTY_REDIRECTS', 'https://a.example/done'],
  ])('refuses %s without bearer tokens', (name, value) => {
    expect(() => loadConfig({ AUTH_METHODS: 'api-key,basic', [name]: value })).toThrow(
      new RegExp(`^${name} needs "bearer" in AUTH_METHODS[^\\n]+$`),
    );
  });

  it('serves no console without bearer tokens', () => {
    expect(loadConfig({ AUTH_METHODS: 'basic', CONSOLE: 'on' }).console).toBe(false);
  });

  it('PASSWORD_LOGIN=off: Basic is not accepted, and the login page has no password form', () => {
    const config = loadConfig({ PASSWORD_LOGIN: 'off', AUTH_METHODS: 'basic,bearer', OIDC_LOGIN: oidcWith({}) });
    expect(config).toMatchObject({ authMethods: ['bearer'], passwordLogin: false, oidcLogin: { only: true } });
    expect(loadConfig({ OIDC_LOGIN: oidcWith({}) }).oidcLogin?.only).toBe(false);
  });

  it('refuses a certificate without its key', () => {
    expect(() => loadConfig({ TLS_CERT: pem })).toThrow(/^TLS_KEY must be given together with TLS_CERT/);
  });

  it.each([
    ['what is none', { ...certificate.env, TLS_CERT: pem }],
    ['one with a key that is none', { ...certificate.env, TLS_KEY: pem }],
    ['one with the key of another', { ...certificate.env, TLS_KEY: otherKey }],
  ])('refuses %s as a certificate', (_what, env) => {
    expect(() => loadConfig(env)).toThrow(/^TLS_CERT and TLS_KEY must be a certificate and its key, [^\n]+$/);
  });

  it('never shows a secret in an error', () => {
    expect(() => loadConfig({ ADMIN_API_KEY: 'hunter2' })).not.toThrow(/hunter2/);
  });
});
