import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './workspace/build.ts';

/** Tools by name: `npm run tool -- bench-size --rows 10000`. Options are at the top of each file. */
const TOOLS: Record<string, { script: string; what: string }> = {
  cluster: {
    script: 'cluster.ts',
    what: 'two instances, a standby and a balancer on this machine; --pooler adds PgBouncer',
  },
  soak: { script: 'soak.ts', what: 'checks that memory does not grow in half an hour of load' },
  'bench-size': { script: 'bench/size/size.ts', what: 'cost of reads and writes at 10 000 to 1 million rows' },
  'bench-webhooks': { script: 'bench/webhooks.ts', what: 'deliveries a second' },
  'bench-overload': { script: 'bench/overload/overload.ts', what: 'latency at 64 to 1 024 clients' },
  'bench-replicas': {
    script: 'replica/bench-replicas.ts',
    what: 'memory and CPU of waiting replicas',
  },
  'compare-clients': { script: 'clients/compare-clients.ts', what: '@items/client compared with other clients' },
  'request-path': {
    script: 'request-path/request-path.ts',
    what: 'the files and functions that a request enters',
  },
  registry: { script: 'registry.ts', what: 'serves the packages as a registry on this machine' },
  tarballs: { script: 'tarballs.ts', what: 'the tarballs of the ten packages, for a registry or a folder of yours' },
  'record-upgrade': {
    script: 'record-upgrade.ts',
    what: 'saves databases, credentials and cursors of this version, for tests of later versions',
  },
  'release-version': { script: 'release-version.ts', what: 'saves the document of a released version' },
};

const name = process.argv[2] ?? '';
const tool = TOOLS[name];
if (tool === undefined) {
  const width = Math.max(...Object.keys(TOOLS).map(({ length }) => length));
  const lines = Object.entries(TOOLS).map(([each, { what }]) => `  ${each.padEnd(width)}  ${what}`);
  console.log(`Usage: npm run tool -- <name> [options]\n\n${lines.join('\n')}`);
  process.exit(name === '' ? 0 : 2);
}
await prepare('develop');
process.argv.splice(1, 2, join(import.meta.dirname, tool.script));
try {
  await import(pathToFileURL(process.argv[1] ?? '').href);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
