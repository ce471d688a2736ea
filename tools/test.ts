import { rmSync } from 'node:fs';
import { ensureDependencies } from './workspace/dependencies.ts';
import { bringPgBouncer } from './cluster/bring-pgbouncer.ts';
import { coverageFolder } from './coverage/folders.ts';
import { ensureConsoleBuilt } from './workspace/build-console.ts';
import { workspaceRoot } from './workspace/root.ts';
import { runNode } from './workspace/run.ts';

/*
 * `npm test`: runs the checks for each change, in about 10 minutes on two processors, and prints a summary.
 * `npm test -- --quick` takes a minute and a half, for use during development. `npm run check` (`--long`) runs slower
 * checks. `npm test -- lint unit` runs only the named checks.
 */
const args = process.argv.slice(2);
const long = args.includes('--long');
const quick = args.includes('--quick');
const named = args.filter((arg) => !arg.startsWith('--'));
process.chdir(workspaceRoot);
try {
  await ensureDependencies();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

// Most checks need a build, which a fresh clone lacks. The check `types` shows compile errors.
await runNode(['node_modules/typescript-7/bin/tsc', '-b'], { output: 'collect' });
await ensureConsoleBuilt();
// Add PgBouncer to the PATH before the import, because the imported module looks there. Without PgBouncer, its tests
// are reported as skipped.
const pooler = long || named.includes('operations') ? [await bringPgBouncer()] : [];
const { providePostgres, provideRedis } = await import('@items/testing/servers');
const { allChecks } = await import('./checks/all-checks.ts');
const { chosen } = await import('./checks/chosen.ts');
const { runChecks } = await import('./checks/run-checks.ts');
const { summary } = await import('./checks/summary.ts');

const servers = await Promise.all([providePostgres(), provideRedis()]);
const [postgres, redis] = servers;
try {
  const urls = { postgres: postgres.url ?? '', redis: redis.url ?? '' };
  const countsCoverage = chosen(allChecks(urls), { named, long, quick }).some(({ name }) => name === 'coverage');
  if (countsCoverage) rmSync(coverageFolder, { recursive: true, force: true });
  const rows = await runChecks(chosen(allChecks({ ...urls, countsCoverage }), { named, long, quick }));
  const notes = [`Node ${process.versions.node}`, ...servers.map(({ note }) => note), ...pooler];
  if (quick) notes.push('`npm test` runs the other checks.');
  else if (named.length === 0 && !long) notes.push('`npm run check` runs the slower checks.');
  console.log(`\n${summary(rows, notes)}`);
  process.exitCode = rows.some(({ outcome }) => outcome.failed > 0) ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
