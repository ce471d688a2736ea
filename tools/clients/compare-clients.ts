import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { workspacePath } from '../workspace/root.ts';
import { runNpm } from '../workspace/run.ts';
import { octokit, ours, stripe, type Adapter } from './adapters.ts';
import { run, scenarios } from './scenarios.ts';

/*
 * `npm run tool -- compare-clients`: compares @items/client, stripe-node and octokit on the same fault server, and
 * writes the table of docs/benchmarks/clients.md. The other two are installed into tmp/, because the workspace does
 * not depend on them.
 */
const packages = {
  stripe: '23.1.0',
  '@octokit/core': '7.0.8',
  '@octokit/plugin-retry': '8.1.1',
  '@octokit/plugin-throttling': '11.0.5',
};
const folder = workspacePath('tmp/client-comparison');

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
const { ok } = await runNpm(['install', '--no-audit', '--no-fund'], { cwd: folder });
if (!ok) throw new Error('npm could not install the other clients: see its output above.');

const require = createRequire(join(folder, 'package.json'));
const load = (name: string) => import(pathToFileURL(resolved(name)).href);
const { default: Stripe } = await load('stripe');
const { Octokit } = await load('@octokit/core');
const { retry } = await load('@octokit/plugin-retry');
const { throttling } = await load('@octokit/plugin-throttling');

const adapters: ((baseUrl: string) => Adapter)[] = [
  ours,
  (baseUrl) => stripe(Stripe, baseUrl),
  (baseUrl) => octokit({ Octokit, retry, throttling }, baseUrl),
];
const rows = await Promise.all(
  scenarios.map(async (scenario) => ({
    point: scenario.point,
    verdicts: await Promise.all(adapters.map((adapt) => run(scenario, adapt))),
  })),
);
for (const { point, verdicts } of rows)
  console.log(`${verdicts.map((holds) => (holds ? '✔' : '✘')).join(' ')}  ${point}`);

const file = workspacePath('docs/benchmarks/clients.md');
const [before = ''] = readFileSync(file, 'utf8').split('<!-- table -->');
const options = { ...(await resolveConfig(file)), parser: 'markdown' };
writeFileSync(file, await format(`${before}<!-- table -->\n\n${table()}`, options));
process.exit(0);

/** Resolves a package of ES modules only, which `require.resolve` cannot find. */
function resolved(name: string) {
  const path = join(folder, 'node_modules', name);
  const { exports, main } = require(join(path, 'package.json'));
  const entry = exports?.['.'] ?? exports ?? main;
  return join(path, entryOf(entry));
}

type Entry = string | { [condition: string]: Entry };

function entryOf(entry: Entry | undefined): string {
  return typeof entry === 'string' ? entry : entryOf(entry?.import ?? entry?.node ?? entry?.default);
}

function table() {
  const heads = ['@items/client', `stripe ${packages.stripe}`, `@octokit/core ${packages['@octokit/core']}`];
  const lines = rows.map(
    ({ point, verdicts }) => `| ${point} | ${verdicts.map((holds) => (holds ? 'yes' : 'no')).join(' | ')} |`,
  );
  const sums = adapters.map((_, index) => `${rows.filter(({ verdicts }) => verdicts[index]).length} of ${rows.length}`);
  return [`| | ${heads.join(' | ')} |`, '|---|---|---|---|', ...lines, `| together | ${sums.join(' | ')} |`, ''].join(
    '\n',
  );
}
