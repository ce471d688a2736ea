import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '@items/create-service';
import { parse } from 'yaml';
import { buildContext, copiedSources } from './build-context.ts';

const workspace = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'items-created-'));
const service = join(folder, 'shop');
const read = (file: string) => readFileSync(join(service, file), 'utf8');

interface Service {
  secrets?: string[];
  environment?: Record<string, string>;
}

/** Private files in a developer's folder, which no image may contain. */
const PRIVATE = [
  'data/shop.sqlite',
  'data/shop.sqlite-wal',
  '.env',
  'secrets/admin_api_key',
  'node_modules/fastify/index.js',
  'dist/main.js',
  'shop.backup',
  'src/service.test.ts',
  '.git/HEAD',
];

beforeAll(() => {
  createService(service);
  for (const file of [...PRIVATE, 'package-lock.json']) {
    mkdirSync(join(service, file, '..'), { recursive: true });
    writeFileSync(join(service, file), '');
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the files that `docker build` would send. */
function context() {
  const files = readdirSync(service, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(service.length + 1));
  return buildContext(files, read('.dockerignore'));
}

describe('The image of a created service', () => {
  it('is built from files that exist, and from no private file', () => {
    const files = context();
    const sources = copiedSources(read('Dockerfile'));
    expect(sources).toEqual(['package.json', 'package-lock.json', 'tsconfig.json', 'src']);
    for (const source of sources)
      expect([source, files.some((file) => file === source || file.startsWith(`${source}/`))]).toEqual([source, true]);
    expect(files.filter((file) => PRIVATE.includes(file))).toEqual([]);
  });

  it('installs the versions of the lock file, and runs as an unprivileged user', () => {
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toMatch(/^RUN npm ci$/m);
    expect(dockerfile).not.toContain('npm install');
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toContain('/health/ready');
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(2);
  });
});

describe('compose.yml of a created service', () => {
  const known = new Set(
    [...readFileSync(join(workspace, '.env.example'), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name),
  );

  it('starts the service with PostgreSQL and Redis, once both are healthy', () => {
    const { services } = parse(read('compose.yml'));
    expect(Object.keys(services)).toEqual(['api', 'postgres', 'redis']);
    expect(services.api).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    for (const name of ['postgres', 'redis']) {
      expect(services.api.depends_on[name]).toEqual({ condition: 'service_healthy' });
      expect(services[name].healthcheck.test).toBeDefined();
    }
  });

  it('has its secrets in files that Git ignores, and sets only variables that the service reads', () => {
    const { services, secrets } = parse(read('compose.yml'));
    const ignored = read('.gitignore').split('\n');
    for (const { file } of Object.values<{ file: string }>(secrets))
      expect(ignored).toContain(`${file.split('/')[0]}/`);
    const used = Object.values<Service>(services).flatMap((each) => each.secrets ?? []);
    expect([...new Set(used)].sort()).toEqual(Object.keys(secrets).sort());
    const names = Object.keys(services.api.environment).map((name) => name.replace(/_FILE$/, ''));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const values = Object.values<Service>(services).flatMap(({ environment = {} }) => Object.entries(environment));
    for (const [name, value] of values) if (/PASSWORD|KEY/.test(name)) expect(value).toMatch(/^\/run\/secrets\//);
  });
});

describe('The workflow of a created service', () => {
  it('runs only scripts that exist, and pins actions to commits', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml'));
    const { scripts } = JSON.parse(read('package.json'));
    const steps: { uses?: string; run?: string }[] = jobs.test.steps;
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const runs = steps.flatMap(({ run }) => run ?? []);
    expect(runs.slice(0, 2)).toEqual(['npm ci', 'npm test']);
    expect(scripts).toHaveProperty('test');
    expect(runs.join('\n')).toContain('npx items-conformance');
  });
});

describe('buildContext', () => {
  it.each([
    ['data', ['data/a', 'b'], ['b']],
    ['*\n!src', ['data/a', 'src/b'], ['src/b']],
    ['src/**/*.test.ts', ['src/a.test.ts', 'src/b/c.test.ts', 'src/a.ts'], ['src/a.ts']],
    ['*.sqlite*', ['a.sqlite-wal', 'data/a.sqlite', 'a'], ['data/a.sqlite', 'a']],
  ])('filters the files for the patterns %j', (ignored, files, sent) => {
    expect(buildContext(files, ignored)).toEqual(sent);
  });
});
