import assert from 'node:assert/strict';
import { join } from 'node:path';
import { outputPattern } from '../../readme/console-blocks.js';
import { printedInCopy, runInCopy } from './copy-commands.js';
import { hold } from './hold.js';
import { pageCommands } from './page.js';
import { contentsOf, copyWorkspace } from './workspace-copy.js';

const NOTES = `trial-notes --parent users ${[
  'title:string',
  'color:string?:filter',
  'body:text?',
  'rank:integer',
  'level:number',
  'price:money?',
  'done:boolean',
  'hidden:boolean?',
  'due_at:date-time?',
]
  .map((field) => `--field '${field}'`)
  .join(' ')}`;

/** One that tells nothing of its changes: both others do. */
const LABELS = "trial-labels --field 'name:string' --no-events";

/** @typedef {{ root: string, service?: import('@items/testing').RunningApp }} Trial */

/**
 * Does what docs/add-a-collection.md says, in a copy of the workspace: its `npm test` are the checks that a collection
 * can fail, with a nested one beside it, and one without events.
 * @param {Record<string, string>} servers the environment that names the servers of the tests.
 * @throws {Error} with what went wrong.
 */
export async function tryGenerators(servers) {
  const { root, discard } = copyWorkspace();
  /** @type {Trial} */
  const trial = { root };
  try {
    const before = contentsOf(root);
    for (const { command, output } of pageCommands()) {
      const earlier = contentsOf(root);
      if (command === 'npm test') await holdAll(root, before, servers);
      else if (command === 'npm start') trial.service = await start(root);
      else requireOutput(command, await printed(trial, command), output);
      if (/--dry-run|2>&1/.test(command)) assert.deepEqual(contentsOf(root), earlier, `${command} changes nothing`);
    }
    for (const name of ['trial-notes', 'trial-labels']) {
      await runInCopy(root, ['node_modules/nx/dist/bin/nx.js', 'g', '@items/tools:remove-collection', name]);
    }
    assert.deepEqual(contentsOf(root), before, 'What is taken out again leaves the tree as it was');
  } finally {
    await trial.service?.stop();
    discard();
  }
}

/** @param {string} root @param {Map<string, string>} before @param {Record<string, string>} servers */
async function holdAll(root, before, servers) {
  for (const made of [NOTES, LABELS]) await printedInCopy(root, `npx nx g @items/tools:collection ${made}`);
  const written = [...contentsOf(root)].filter(([path, content]) => before.get(path) !== content);
  await hold(
    root,
    written.map(([path]) => path),
    servers,
  );
}

/** Starts the copy's service. @param {string} root @returns {Promise<import('@items/testing').RunningApp>} */
async function start(root) {
  const { startApp } = await import(join(root, 'libs/testing/dist/index.js'));
  process.env.APP_MAIN = join(root, 'apps/api/dist/main.js');
  try {
    return await startApp({ database: 'sqlite' });
  } finally {
    delete process.env.APP_MAIN;
  }
}

/** @param {string} command @param {string} printed @param {string} output as the page has it. */
function requireOutput(command, printed, output) {
  if (!outputPattern(output).test(printed)) {
    throw new Error(`${command}\nprinted\n${printed}\nwhere the page has\n${output}`);
  }
}

/** @param {Trial} trial @param {string} command */
function printed({ root, service }, command) {
  const line = command.replaceAll('http://localhost:3000', service?.baseUrl ?? '');
  return printedInCopy(root, line, { ADMIN_API_KEY: service?.adminKey ?? '' });
}
