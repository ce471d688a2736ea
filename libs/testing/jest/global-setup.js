import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Jest's global set-up: finds or starts the servers of a test run, and stores their addresses for `postgresUnderTest()`
 * and `redisUnderTest()`. Uses the servers that `npm test` has already found.
 */
export default async function provideServers() {
  if (process.env.TEST_POSTGRES_URL !== undefined && process.env.TEST_REDIS_URL !== undefined) return;
  // Node loads the library's build, not its source. The type check reports errors of the compiler.
  spawnSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-b', 'libs/testing/tsconfig.lib.json'], {
    cwd: workspace,
  });
  spawnSync(process.execPath, ['tools/run.js', 'tools/build-console.ts'], { cwd: workspace });
  const { providePostgres, provideRedis } = await import('@items/testing/servers');
  const [postgres, redis] = await Promise.all([providePostgres(), provideRedis()]);
  for (const server of [postgres, redis]) if (server.url === undefined) console.warn(`skipped: ${server.note}`);
  process.env.TEST_POSTGRES_URL = postgres.url ?? '';
  process.env.TEST_REDIS_URL = redis.url ?? '';
  Object.assign(globalThis, { stopServers: () => Promise.all([postgres.stop(), redis.stop()]) });
}
