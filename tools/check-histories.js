import { parseArgs } from 'node:util';

import { ensureBuilt } from './workspace/build.ts';
import { ensureDependencies } from './workspace/dependencies.ts';

/*
 * `npm run tool -- check-histories`: eight clients on two instances create, replace with and without If-Match, delete and read
 * shared members, list totals and repeat creations, while instances are killed and paused, and a standby is promoted. The
 * recorded history of each member must be linearizable.
 */
const help = `npm run tool -- check-histories [-- --seconds 600] [-- --seed 7] [-- --only sqlite,postgres,standbys,failover] [-- --mutants]

Checks the recorded history of each member: there is an order of all operations that respects their times and explains each response.
A response 503 may have had its effect before it, never after it; a broken connection at any time. With standbys, each client sees its
own writes and never goes back. In a failover, the primary is killed halfway, and its synchronous standby is promoted. --mutants puts a
fault between the clients and the service, one after another, and fails over to a standby without the last writes; each must be found.
`;
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: 'sqlite,postgres,standbys,failover' },
    mutants: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];

if (values.help) console.log(help);
else process.exit(await run());

async function run() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  await ensureDependencies();
  await ensureBuilt();
  const { providePostgres, provideRedis } = await import('@items/testing/servers');
  const [postgres, redis] = await Promise.all([providePostgres(), provideRedis()]);
  if (postgres.url !== undefined) process.env['TEST_POSTGRES_URL'] = postgres.url;
  try {
    const { LATE_STANDBY, runHistory } = await import('./histories/run-histories.js');
    const { mutants } = await import('./histories/mutants.js');
    const names = values.mutants ? [...Object.keys(mutants()), LATE_STANDBY] : [undefined];
    let isRight = true;
    for (const topology of /** @type {('sqlite' | 'postgres' | 'standbys' | 'failover')[]} */ (
      values.only.split(',')
    )) {
      if (topology === 'postgres' && postgres.url === undefined) {
        console.log(`- ${topology}: skipped, there is no PostgreSQL`);
        continue;
      }
      for (const mutant of names) {
        const title = mutant === undefined ? topology : `${topology}, ${mutant}`;
        if (mutant !== undefined && topology === 'standbys') continue;
        if (mutant === LATE_STANDBY && topology !== 'failover') continue;
        const result = await runHistory({
          topology,
          seconds,
          seed,
          ...(mutant !== undefined && { mutant }),
          ...(redis.url !== undefined && { redis: redis.url }),
        });
        if (typeof result === 'string') {
          console.log(`- ${title}: skipped, ${result}`);
          continue;
        }
        const isFound = result.problems.length > 0;
        const holds = isFound === (mutant !== undefined);
        isRight &&= holds;
        console.log(`${holds ? '✔' : '✘'} ${title}, seed ${seed}: ${result.figure}`);
        for (const problem of result.problems.slice(0, 3)) console.log(`  ${problem}`);
      }
    }
    return isRight ? 0 : 1;
  } finally {
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}
