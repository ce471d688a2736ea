import assert from 'node:assert/strict';
import { join } from 'node:path';
import { outputPattern } from '../../readme/console-blocks.ts';
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

/** A collection without events, unlike the others. */
const LABELS = "trial-labels --field 'name:string' --no-events";

/** A parent, and a collection below it with keys, references and every type of field that the notes lack. */
const SHELVES = "trial-shelves --field 'name:string(50)' --unique name --events";
const BOOKS = `trial-books --parent trial-shelves --unique isbn --unique label_id+title ${[
  'title:string(100)',
  'isbn:string(17)?',
  'kind:choice(novel/short story)=novel',
  'colors:choices(red/green)',
  'tags:texts?',
  'stock:integer(0..99)=1',
  'weight:number(0..0.5)',
  'source:uuid',
  'label_id:reference(trial-labels)',
  'item_id:reference(items)?:keep',
  'order:integer',
]
  .map((field) => `--field '${field}'`)
  .join(' ')} --events`;

/** A collection with some of the operations. */
const ENTRIES = `trial-entries --field 'text:text(500)' --field 'previous_id:reference(trial-entries)?' --methods list,create,get --events`;

const GENERATED = [NOTES, LABELS, SHELVES, BOOKS, ENTRIES];

/** @typedef {{ root: string, service?: import('@items/testing').RunningApp }} Trial */

/**
 * Follows docs/add-a-collection.md in a copy of the workspace, with further collections in addition: {@link GENERATED}. Its `npm test` runs only the checks that a collection can fail.
 * @param {Record<string, string>} servers environment with the addresses of the test servers.
 * @throws {Error} with a description of the failure.
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
    for (const made of GENERATED.toReversed()) {
      const [name = ''] = made.split(' ');
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
  for (const made of GENERATED) await printedInCopy(root, `npx nx g @items/tools:collection ${made}`);
  const written = [...contentsOf(root)].filter(([path, content]) => before.get(path) !== content);
  await hold(
    root,
    written.map(([path]) => path),
    servers,
  );
}

/** Starts the service of the copy. @param {string} root @returns {Promise<import('@items/testing').RunningApp>} */
async function start(root) {
  const { startApp } = await import(join(root, 'libs/testing/dist/index.js'));
  process.env.APP_MAIN = join(root, 'apps/api/dist/main.js');
  try {
    return await startApp({ database: 'sqlite' });
  } finally {
    delete process.env.APP_MAIN;
  }
}

/** @param {string} command @param {string} printed @param {string} output expected output on the page. */
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
