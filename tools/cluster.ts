import { parseArgs } from 'node:util';

import { commandLines, runCommands } from './cluster/commands.ts';
import { bringPgBouncer } from './cluster/bring-pgbouncer.ts';
import { stopWithParent } from './workspace/stop-with-parent.js';

/*
 * `npm run tool -- cluster`: runs the topology of deploy/compose.yml without containers, as real processes on free
 * ports of 127.0.0.1.
 */
const help = `npm run tool -- cluster [--pooler]

Starts two instances of the service behind HAProxy, which terminates TLS, PostgreSQL with a standby for reads, and
Redis, on free ports of 127.0.0.1, and prints their addresses. Ctrl-C stops all of them and deletes their data. While it runs, type
the name of a fault of docs/faults.md:
${commandLines().join('\n')}

Also needs, on Debian and Ubuntu: apt-get install haproxy redis-server
With --pooler, the instances reach each PostgreSQL server through a PgBouncer in transaction mode, which needs 1.21 or later. If it
is not installed, the tool builds it once from Debian's source, which needs a C compiler and make.
Both instances get the settings of the service in the environment (.env.example).
`;
const SETTINGS =
  /^(ADMIN_API_KEY|RATE_LIMIT|RATE_LIMIT_ANONYMOUS|CURRENCY|LOG_LEVEL|SLOW_MS|STOP_DELAY|EVENT.*|OTEL_.*)$/;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h', default: false }, pooler: { type: 'boolean', default: false } },
});
if (values.help) console.log(help);
else await run(values.pooler);

async function run(hasPoolers: boolean) {
  // Add PgBouncer to the PATH before the import, because the imported module looks there.
  if (hasPoolers) console.log(await bringPgBouncer());
  const { poolerVersion, startCluster } = await import('@items/testing');
  if (hasPoolers && poolerVersion === undefined) throw new Error('PgBouncer was not found: run without --pooler.');
  const stopRequested = askedToStop();
  stopWithParent();
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (SETTINGS.test(name) && value ? [[name, value]] : [])),
  );
  const startedMs = performance.now();
  const cluster = await startCluster({ env, hasPoolers, step: timed });
  console.log(`Ready after ${secondsSince(startedMs)} s.`);
  const [a, b] = cluster.instances;
  console.log(`
The service, through HAProxy (TLS): ${cluster.address}
  its two instances:                ${a.address} (process ${a.program.pid}), metrics on port ${a.metricsPort}
                                    ${b.address} (process ${b.program.pid}), metrics on port ${b.metricsPort}
PostgreSQL, primary:                ${cluster.primary.url} (process ${cluster.primary.program?.pid})
            standby:                ${cluster.standby.url} (process ${cluster.standby.program?.pid})
PgBouncer before each:              ${cluster.poolers.map(({ url }) => url).join(' and ') || 'none (--pooler)'}
Redis:                              ${cluster.redis.url} (process ${cluster.redis.program.pid})
Logs:                               ${cluster.site.folder}/*.log

For the commands of the documentation, in another terminal:
export URL=${cluster.address} ADMIN_API_KEY=${cluster.key}
export DATABASE_URL='${cluster.settings.DATABASE_URL}' DATABASE_READ_URL=${cluster.standby.url} REDIS_URL=${cluster.redis.url}
curl --insecure -H "X-API-Key: $ADMIN_API_KEY" $URL/items
cat ${cluster.site.folder}/instance-*.log > items.log
npm run admin -- check

Type the name of a fault of docs/faults.md to cause it:
${commandLines().join('\n')}
Ctrl-C ends all of it and removes its data.`);
  void runCommands(cluster, process.stdin, console.log);
  await stopRequested.gently();
  process.stdin.destroy();
  console.log('Stopping: the instances first, which wait for STOP_DELAY …');
  await cluster.stop();
}

async function timed<T>(what: string, work: () => Promise<T>) {
  console.log(`${what} …`);
  const startedMs = performance.now();
  const result = await work();
  console.log(`${what}: ready in ${secondsSince(startedMs)} s`);
  return result;
}

function secondsSince(startedMs: number) {
  return ((performance.now() - startedMs) / 1000).toFixed(1);
}

/** A signal during the start, or a second signal, ends this process and its children immediately. */
function askedToStop() {
  let stop: (() => void) | undefined;
  const hear = () => {
    if (stop === undefined) process.exit(130);
    stop();
    stop = undefined;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, hear);
  return { gently: () => new Promise<void>((resolve) => (stop = resolve)) };
}
