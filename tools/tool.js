import './workspace/require-node.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from './workspace/root.js';
import { runNode } from './workspace/run.js';

/**
 * Occasional tools by name: `npm run tool -- bench-size --rows 10000`. The options are at the top of each file.
 * @type {Record<string, { script: string, what: string, needsBuild?: boolean }>}
 */
const TOOLS = {
  cluster: {
    script: 'cluster.js',
    what: 'two instances, a standby and a balancer on this machine; --pooler adds PgBouncer',
  },
  soak: { script: 'soak.js', what: 'half an hour of load: does memory grow?' },
  'bench-size': { script: 'bench/size/size.js', what: 'cost of reads and writes at 10 000 to 1 million rows' },
  'bench-webhooks': { script: 'bench/webhooks.js', what: 'deliveries a second', needsBuild: true },
  'bench-overload': { script: 'bench/overload/overload.js', what: 'latency at 64 to 1 024 clients', needsBuild: true },
  'bench-replicas': {
    script: 'replica/bench-replicas.js',
    what: 'memory and CPU of waiting replicas',
    needsBuild: true,
  },
  'compare-clients': { script: 'clients/compare-clients.js', what: '@items/client beside other clients' },
  'request-path': {
    script: 'request-path/request-path.js',
    what: 'the files and functions that a request enters',
    needsBuild: true,
  },
  'check-walks': { script: 'check-walks.js', what: 'exact walks among writers, at any length' },
  'check-events': { script: 'check-events.js', what: 'a feed without gaps, with instances that are killed' },
  'check-reads': { script: 'check-reads.js', what: 'main-thread CPU of each kind of read' },
  'check-fairness': {
    script: 'check-fairness.js',
    what: 'latency of others beside one greedy client',
    needsBuild: true,
  },
  'check-replicas': { script: 'check-replicas.js', what: 'reads of standbys that pause, die and are promoted' },
  'check-histories': { script: 'check-histories.js', what: 'linearizable members after kill -9 and pauses' },
  'check-faults': { script: 'check-faults.js', what: 'acknowledged writes after kill -9, failover and full disk' },
  'check-alerts': { script: 'alerts/check-alerts.js', what: 'each alert fires for its fault alone' },
  registry: { script: 'registry.js', what: 'serves the packages as a registry on this machine' },
  tarballs: { script: 'tarballs.js', what: 'the tarballs of the ten packages, for a registry or a folder of yours' },
  'record-upgrade': {
    script: 'record-upgrade.js',
    what: 'saves a database of each kind and what was handed out, for later versions',
    needsBuild: true,
  },
  'release-version': { script: 'release-version.js', what: 'saves the document of a released version' },
};

const name = process.argv[2] ?? '';
const tool = TOOLS[name];
if (tool === undefined) {
  const width = Math.max(...Object.keys(TOOLS).map(({ length }) => length));
  const lines = Object.entries(TOOLS).map(([each, { what }]) => `  ${each.padEnd(width)}  ${what}`);
  console.log(`Usage: npm run tool -- <name> [options]\n\n${lines.join('\n')}`);
  process.exit(name === '' ? 0 : 2);
}
if (tool.needsBuild && !(await runNode(['node_modules/typescript-7/bin/tsc', '-b', 'apps/api/tsconfig.app.json'])).ok)
  process.exit(1);
process.argv.splice(1, 2, join(workspaceRoot, 'tools', tool.script));
await import(pathToFileURL(process.argv[1] ?? '').href);
