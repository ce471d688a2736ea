import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { judge } from '@items/conformance';
import { freePort } from '@items/testing';
import { format } from 'prettier';
import { installFixture } from '../workspace/install-fixture.js';
import { workspaceRoot } from '../workspace/root.js';
import { markdownReport } from './report.js';
import { services } from './services.js';

/*
 * `node tools/conformance/reports.js [name …]`: judges services of other authors and writes the results to
 * docs/conformance. They are installed in tmp/, and run only on this machine.
 */
const wanted = process.argv.slice(2);
const pages = join(workspaceRoot, 'docs/conformance');
mkdirSync(pages, { recursive: true });
for (const service of services) {
  if (wanted.length > 0 && !wanted.includes(service.name)) continue;
  const { name, what } = service;
  const judgement = await judged(service);
  const markdown = await format(markdownReport(judgement, name, what, service.naming), {
    parser: 'markdown',
    printWidth: 120,
  });
  writeFileSync(join(pages, `${name}.md`), markdown);
  console.log(`docs/conformance/${name}.md: ${judgement.conformant ? 'conformant' : 'not conformant'}`);
}

/** @param {import('./services.js').ForeignService} service */
async function judged(service) {
  const { name, vendor, example = '' } = service;
  const folder = vendor === undefined ? compile(name, example) : await installFixture(`conformance/${vendor}`);
  const port = await freePort();
  const child = spawn(process.execPath, service.command(port), {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await answers(`http://127.0.0.1:${port}/items`, child);
    return await judge({ url: `http://127.0.0.1:${port}`, seed: service.name, naming: service.naming ?? {} });
  } finally {
    child.kill();
  }
}

/**
 * Compiles an example with the installed and built packages of the workspace. Run `npm run typecheck` first.
 * @param {string} name @param {string} example
 */
function compile(name, example) {
  const folder = join(workspaceRoot, 'tmp/conformance', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(workspaceRoot, example), folder, { recursive: true });
  const compiler = join(workspaceRoot, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${name} could not be compiled.`);
  return folder;
}

/**
 * @param {string} url
 * @param {import('node:child_process').ChildProcess} child
 */
async function answers(url, child) {
  for (let attempt = 0; attempt < 150; attempt++) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}.`);
    const reached = await fetch(url).then(
      () => true,
      () => false,
    );
    if (reached) return;
    await sleep(200);
  }
  throw new Error(`Nothing answers at ${url}.`);
}
