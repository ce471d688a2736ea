import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { withDigests } from './pin-images.ts';

const workspace = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(workspace, file), 'utf8');
const exists = (file: string) => existsSync(join(workspace, file));

/** Instructions of the Dockerfile. A continued instruction becomes one line. */
const instructions = read('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));

/** Sources of each COPY from the build context. */
const copies = instructions
  .filter((line) => /^COPY (?!--from)/.test(line))
  .map((line) => line.split(/\s+/).slice(1, -1));

/** Documented names of environment variables. */
const variables = new Set([...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));

describe('The Dockerfile', () => {
  it('copies only existing files', () => {
    expect(copies.flat().filter((source) => !exists(source))).toEqual([]);
  });

  it('copies the manifest of every project before it installs', () => {
    const manifests = ['apps', 'libs']
      .flatMap((folder) => readdirSync(join(workspace, folder)).map((name) => `${folder}/${name}`))
      .concat('tools')
      .map((folder) => `${folder}/package.json`)
      .filter(exists);
    expect(copies.flat()).toEqual(expect.arrayContaining(manifests));
  });

  it('copies every folder that the service reads at run time', () => {
    const folders = readdirSync(join(workspace, 'apps/api'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['src', 'node_modules'].includes(entry.name))
      .map(({ name }) => `COPY --from=build /workspace/apps/api/${name} apps/api/${name}`);
    expect(instructions).toEqual(expect.arrayContaining(folders));
  });

  it('names only npm scripts, workspaces and build stages that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...read('Dockerfile').matchAll(/npm run (\S+)/g)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    expect(read('Dockerfile')).toContain(`--workspace=${JSON.parse(read('apps/api/package.json')).name} `);
    const stages = instructions.flatMap((line) => /^FROM .* AS (\S+)$/.exec(line)?.[1] ?? []);
    const used = [...read('Dockerfile').matchAll(/--from=(\S+)/g)].map(([, name]) => name);
    expect(stages).toEqual(expect.arrayContaining(used));
  });

  it('starts the output of the build', () => {
    const { compilerOptions } = JSON.parse(read('apps/api/tsconfig.app.json'));
    expect(compilerOptions).toMatchObject({ rootDir: 'src', outDir: 'dist' });
    expect(exists('apps/api/src/main.ts')).toBe(true);
    expect(instructions.at(-1)).toBe('CMD ["node", "apps/api/dist/main.js"]');
  });

  it('sets only variables that the service reads, and runs as an unprivileged user', () => {
    const set = instructions.filter((line) => line.startsWith('ENV ')).flatMap((line) => line.match(/[A-Z_]+(?==)/g));
    expect(set.filter((name) => name !== 'NODE_ENV' && !variables.has(name ?? ''))).toEqual([]);
    // A numeric user, so that Kubernetes can verify that it is not root.
    expect(instructions).toContain('USER 1000:1000');
  });

  it('has a health check that can succeed and fail', () => {
    const [, code] = /"-e", "(.*)"\]/.exec(instructions.find((line) => line.startsWith('HEALTHCHECK')) ?? '') ?? [];
    expect(() => new Function(code ?? '}')).not.toThrow();
    expect(code).toContain('/health/ready');
  });
});

describe('The image', () => {
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

  it('has Node and the dependencies of the service, and no package manager', () => {
    expect(last[0]).toBe('FROM $BASE');
    const images = instructions.filter((line) => /^ARG (NODE|BASE)=/.test(line)).map((line) => line.replace(/@.*/, ''));
    expect(images).toEqual(['ARG NODE=node:24-bookworm-slim', 'ARG BASE=debian:bookworm-slim']);
    expect(instructions).toContain('FROM $NODE AS manifests');
    expect(last.filter((line) => /npm|apt-get|curl/.test(line))).toEqual([]);
    expect(last).toContain('COPY --from=manifests /usr/local/bin/node /usr/local/bin/');
  });

  it('gets the digests of its images from each release', () => {
    const digests = new Map([
      ['node:24-bookworm-slim', `sha256:${'a'.repeat(64)}`],
      ['debian:bookworm-slim', `sha256:${'b'.repeat(64)}`],
    ]);
    const pinned = withDigests(read('Dockerfile'), digests);
    expect(pinned).toContain(`\nARG NODE=node:24-bookworm-slim@sha256:${'a'.repeat(64)}\n`);
    expect(pinned).toContain(`\nARG BASE=debian:bookworm-slim@sha256:${'b'.repeat(64)}\n`);
    expect(withDigests(pinned, digests)).toBe(pinned);
  });

  it('has labels that describe it', () => {
    const labels = last.find((line) => line.startsWith('LABEL ')) ?? '';
    for (const label of ['title', 'description', 'source', 'licenses', 'version', 'revision'])
      expect(labels).toContain(`org.opencontainers.image.${label}=`);
  });
});

describe('docker-compose.yml', () => {
  const { services, volumes } = parse(read('docker-compose.yml'));

  it('starts the service, PostgreSQL and Redis, each once its dependencies are healthy', () => {
    expect(Object.keys(services)).toEqual(['api', 'postgres', 'redis']);
    for (const needed of Object.keys(services.api.depends_on)) {
      expect(services.api.depends_on[needed]).toEqual({ condition: 'service_healthy' });
      expect(services[needed].healthcheck.test).toBeDefined();
    }
    expect(services.postgres.volumes.map((mount: string) => mount.split(':')[0])).toEqual(Object.keys(volumes));
  });

  it('sets only variables that the service reads, and holds no secret', () => {
    expect(Object.keys(services.api.environment).filter((name) => !variables.has(name))).toEqual([]);
    expect(services.api.environment.ADMIN_API_KEY).toMatch(/^\$\{ADMIN_API_KEY:\?/);
    expect(services.postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  });
});

describe('The workflow', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));

  it('pins actions to commits, so that a moved tag changes nothing', () => {
    const steps: { uses?: string }[] = Object.values<{ steps: { uses?: string }[] }>(jobs).flatMap((job) => job.steps);
    const used = steps.flatMap(({ uses = [] }) => uses);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it('runs the same commands as .ci/run, with PostgreSQL and Redis', () => {
    const { env, services, steps } = jobs.test;
    expect(steps.map(({ run }: { run?: string }) => run)).toContain('.ci/run');
    expect(Object.keys(services)).toEqual(['postgres', 'redis']);
    expect(env).toEqual({
      DATABASE_URL: expect.stringMatching(/^postgres:.*@127\.0\.0\.1:5432\//),
      REDIS_URL: 'redis://127.0.0.1:6379',
    });
  });
});
