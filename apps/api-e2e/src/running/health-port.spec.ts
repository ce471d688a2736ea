import { setTimeout as sleep } from 'node:timers/promises';

import { HttpClient, startApp, type Answer, type RunningApp } from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const PATIENCE_MS = 20_000;
/** SIGUSR2 blocks the event loop of the main thread for longer than the health check tolerates. */
const BLOCKED_BY_SIGNAL = `--import=data:text/javascript,${encodeURIComponent(
  "process.on('SIGUSR2', () => { const end = Date.now() + 7000; while (Date.now() < end); })",
)}`;

/**
 * Returns a client of `HEALTH_PORT=0`, whose port is in the log. Like a load balancer, it opens a connection for each
 * request.
 */
async function healthOf(app: RunningApp): Promise<HttpClient> {
  const logged = await within(() => linesOf(app).find(({ msg }) => msg === 'health is served'));
  return new HttpClient({ baseUrl: String(logged['url']), headers: [['Connection', 'close']] });
}

function onPort({ baseUrl }: RunningApp): HttpClient {
  return new HttpClient({ baseUrl, headers: [['Connection', 'close']] });
}

async function within<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Not within ${String(PATIENCE_MS)} ms.`);
  }
}

async function readiness(health: HttpClient, status: number): Promise<Answer> {
  return within(async () => {
    const answer = await health.get('/health/ready');
    return answer.status === status ? answer : undefined;
  });
}

describeStarted('Running: HEALTH_PORT', () => {
  let app: RunningApp;
  let health: HttpClient;

  beforeAll(async () => {
    const env = { HEALTH_PORT: '0', STOP_DELAY: '2', NODE_OPTIONS: BLOCKED_BY_SIGNAL };
    app = await startApp({ database: databaseUnderTest(), env });
    health = await healthOf(app);
    await readiness(health, 200);
  });
  afterAll(() => app.stop('SIGKILL'));

  it.each(['/health/live', '/health/ready'])('%s has the same response as on PORT', async (path) => {
    const [there, here] = [await onPort(app).get(path), await health.get(path)];
    expect([here.status, here.text]).toEqual([there.status, there.text]);
    for (const name of ['content-type', 'cache-control', 'api-version', 'x-content-type-options']) {
      expect([name, here.header(name)]).toEqual([name, there.header(name)]);
    }
  });

  it('nothing else is served on HEALTH_PORT', async () => {
    for (const path of ['/items', '/docs', '/openapi.json', '/metrics', '/']) errorOf(await health.get(path), 404);
  });

  it('responds immediately while the main thread is blocked, and is not ready after some seconds', async () => {
    app.process.signal('SIGUSR2');
    const answers: Answer[] = [];
    const silent = await within(async () => {
      answers.push(await health.get('/health/live'));
      const ready = await health.get('/health/ready');
      return ready.status === 503 ? ready : undefined;
    });
    for (const answer of answers) expectStatus(answer, 200);
    expect(errorOf(silent, 503).code).toBe('unavailable');
    expectStatus(await health.get('/health/live'), 200);
    await readiness(health, 200);
  });

  it('is not ready immediately after SIGTERM, while PORT still accepts new connections', async () => {
    app.process.signal('SIGTERM');
    const answer = await readiness(health, 503);
    expect(errorOf(answer, 503).code).toBe('stopping');
    expectStatus(await health.get('/health/live'), 200);
    expectStatus(await onPort(app).get('/health/live'), 200);
    expect(await app.process.ended).toEqual({ code: 0, signal: null });
  });
});
