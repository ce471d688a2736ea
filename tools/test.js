import './workspace/require-node.js';
import { rmSync } from 'node:fs';
import { ensureDependencies } from './workspace/dependencies.js';
import { coverageFolder } from './coverage/folders.js';
import { workspaceRoot } from './workspace/root.js';
import { runNode } from './workspace/run.js';

/*
 * `npm test`: everything that has to hold, in one run, with a summary. `npm test -- lint unit` runs only the checks
 * of these names.
 */
const wanted = process.argv.slice(2);
process.chdir(workspaceRoot);
try {
  await ensureDependencies();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

// A fresh clone has no dependencies before this line, and no build, which most checks need; `types` shows its errors.
await runNode(['node_modules/typescript-7/bin/tsc', '-b'], { output: 'collect' });
const { providePostgres, provideRedis } = await import('@items/testing/servers');
const { allChecks } = await import('./checks/all-checks.js');
const { summary } = await import('./checks/summary.js');

const servers = await Promise.all([providePostgres(), provideRedis()]);
const [postgres, redis] = servers;
rmSync(coverageFolder, { recursive: true, force: true });
try {
  const checks = allChecks({ postgres: postgres.url ?? '', redis: redis.url ?? '' });
  const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    throw new Error(`There is no check ${unknown.join(', ')}; there are ${checks.map(({ name }) => name).join(', ')}.`);
  }
  const rows = [];
  for (const { name, title, run, byNameOnly } of checks) {
    if (wanted.length > 0 ? !wanted.includes(name) : byNameOnly) continue;
    console.log(`\n▶ ${title}`);
    const started = performance.now();
    const outcome = await run();
    const seconds = (performance.now() - started) / 1000;
    rows.push({ title, seconds, outcome });
    console.log(`${outcome.failed === 0 ? '✔' : '✘'} ${title} (${seconds.toFixed(1)} s)`);
  }
  console.log(`\n${summary(rows, [`Node ${process.versions.node}`, ...servers.map(({ note }) => note)])}`);
  process.exitCode = rows.some(({ outcome }) => outcome.failed > 0) ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
