import { LoadProcess } from './load/load-process.js';
import { measure } from './measure.js';
import { readOptions } from './options.js';
import { pin } from './pin.js';
import { measurePurge, printPurge } from './purge.js';
import { beginRun } from './report/run.js';
import { printTable } from './report/table.js';
import { USUAL_CONNECTIONS, writeReport } from './report/write-report.js';
import { Systems } from './systems/systems.js';

/*
 * `npm run bench`: compares the built service, with a key and its quotas, with bare Fastify and the usual Nest stack.
 * All systems alternate in each round, because machines are noisy: ratios and CPU time per request are comparable
 * across machines, requests per second are not. Finally measures the cost of the event purge on PostgreSQL.
 */
const WARM_UP = 3000;
/** Minimum for a meaningful CPU time per request, even on a busy machine. */
const LEAST_REQUESTS = 400;

const options = readOptions();
const run = beginRun(options.nodeVersion, options.effort);
const systems = new Systems({ rows: options.effort.items, node: options.node });
const generator = new LoadProcess();
try {
  pin(process.pid, 'load');
  for (const row of options.rows) {
    const contestants = await row.contestants(systems);
    const { name, title, everywhere = false, aim, warmUp = WARM_UP } = row;
    const asked = options.connections;
    const counts = everywhere || !asked.includes(USUAL_CONNECTIONS) ? asked : [USUAL_CONNECTIONS];
    for (const [index, connections] of counts.entries()) {
      // Compiled code stays compiled, so only the first number of connections needs the full warm-up.
      const effort = { ...options.effort, atLeast: LEAST_REQUESTS, warmUp: index === 0 ? warmUp : 200 };
      const results = await measure(generator, contestants, connections, effort);
      const measured = { name, title, connections, ...(aim !== undefined && { aim }), results };
      run.rows.push(measured);
      printTable(measured);
    }
  }
  if (options.purge) printPurge(await measurePurge());
  if (run.rows.length > 0) console.log(writeReport(run, options.out).join('\n'));
} finally {
  generator.stop();
  await systems.stop();
}
