import { parseArgs } from 'node:util';

import { bringPgBouncer } from './cluster/bring-pgbouncer.ts';
import { ensureBuilt } from './workspace/build.ts';
import { ensureDependencies } from './workspace/dependencies.ts';

/*
 * `npm run tool -- check-faults`: causes operational faults in real processes under load, and prints a row of figures
 * for each.
 */
const help = `npm run tool -- check-faults [-- --only name,name] [-- --list]

Does to a cluster what happens to one (npm run tool -- cluster), under load, and says what that cost: what was acknowledged must be
there afterwards, and each walk must have been exact. A fault whose program is not installed is skipped, and says so. All of
them, on Debian and Ubuntu: apt-get install haproxy postgresql redis-server faketime patroni etcd-server
PgBouncer is built from Debian's source where it is not installed.
`;
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

try {
  if (values.help) console.log(help);
  else process.exit(await run());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run() {
  await ensureDependencies();
  await ensureBuilt();
  const { chooseFaults, checkFaults } = await import('./faults/check-faults.js');
  const faults = chooseFaults(values.only);
  if (values.list) {
    for (const { name, title } of faults) console.log(`${name.padEnd(26)} ${title}`);
    return 0;
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  if (faults.some(({ name }) => name.startsWith('pgbouncer'))) console.log(await bringPgBouncer());
  return await checkFaults(faults);
}
