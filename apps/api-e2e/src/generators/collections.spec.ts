import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startApp, type RunningApp } from '@items/testing';
import { consoleCommands, outputPattern } from '@items/tools/readme/console-blocks.ts';
import { ownTool } from '@items/tools/workspace/own-tool.ts';
import { workspaceRoot } from '@items/tools/workspace/root.ts';

import { printedInCopy, runInCopy } from './copy-commands.js';
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

/** A parent, and a collection below it. It has keys, references and every type of field that NOTES lacks. */
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

/** A collection that serves only some operations. */
const ENTRIES = `trial-entries --field 'text:text(500)' --field 'previous_id:reference(trial-entries)?' --methods list,create,get --events`;

const GENERATED = [NOTES, LABELS, SHELVES, BOOKS, ENTRIES];

/**
 * Commands of docs/add-a-collection.md. The collection gets another name, because readers may already have `widgets`.
 */
const commands = consoleCommands(
  readFileSync(join(workspaceRoot, 'docs/add-a-collection.md'), 'utf8').replaceAll('widget', 'sprocket'),
);

const JEST = 'node_modules/jest/bin/jest.js';
/** Addresses of the test servers, for Jest in the workspace copy. */
const servers = {
  TEST_POSTGRES_URL: process.env['TEST_POSTGRES_URL'] ?? '',
  TEST_REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
};

/** These tests depend on each other, because they follow the page from top to bottom. */
describe('docs/add-a-collection.md, in a copy of the workspace', () => {
  let root: string;
  let discard: (() => void) | undefined;
  let before: Map<string, string>;
  let service: RunningApp | undefined;

  beforeAll(() => {
    ({ root, discard } = copyWorkspace());
    before = contentsOf(root);
  });
  afterAll(async () => {
    await service?.stop();
    discard?.();
  });

  for (const { command, output } of commands) {
    if (command === 'npm test') describe('npm test, with more collections', describeChecks);
    else if (command === 'npm start') it('npm start: the service of the copy starts', start);
    else it(`prints the output of the page: ${command}`, () => printsAsShown(command, output));
  }

  it('remove-collection restores the tree', async () => {
    for (const made of GENERATED.toReversed()) {
      const [name = ''] = made.split(' ');
      await runInCopy(root, ['node_modules/nx/dist/bin/nx.js', 'g', '@items/tools:remove-collection', name]);
    }
    expect(contentsOf(root)).toEqual(before);
  });

  async function printsAsShown(command: string, output: string): Promise<void> {
    const earlier = contentsOf(root);
    const line = command.replaceAll('http://localhost:3000', service?.baseUrl ?? '');
    const printed = await printedInCopy(root, line, { ADMIN_API_KEY: service?.adminKey ?? '' });
    expect(printed).toMatch(outputPattern(output));
    if (/--dry-run|2>&1/.test(command)) expect(contentsOf(root)).toEqual(earlier);
  }

  async function start(): Promise<void> {
    service = await startApp({ database: 'sqlite', main: join(root, 'apps/api/dist/main.js') });
  }

  /** The checks of `npm test` that a generated collection could fail. */
  function describeChecks(): void {
    let written: string[];

    beforeAll(async () => {
      for (const made of GENERATED) await printedInCopy(root, `npx nx g @items/tools:collection ${made}`);
      written = [...contentsOf(root)].filter(([path, content]) => before.get(path) !== content).map(([path]) => path);
    });

    it('the written files have the format of prettier', () =>
      runInCopy(root, ['node_modules/prettier/bin/prettier.cjs', '--check', ...written]));

    it('everything compiles', () => runInCopy(root, ['node_modules/typescript-7/bin/tsc', '-b']));

    it('the project references are in sync', () => runInCopy(root, ['node_modules/nx/dist/bin/nx.js', 'sync:check']));

    it('the written files pass the lint', () =>
      runInCopy(root, ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', ...written]));

    it('the dependency rules hold', async () => {
      const cruise = join(await ownTool('dependency-cruiser'), 'dependency-cruiser/bin/dependency-cruise.mjs');
      await runInCopy(root, [cruise, 'apps/api/src', 'libs']);
    });

    it('the unit spec of the app passes', () =>
      runInCopy(root, [JEST, '--selectProjects', 'api', '--', 'app.module.spec'], servers));

    it('the generated specs pass', () => {
      const generated = ['-c', 'apps/api-e2e/jest.config.js', 'collections/(sprockets|trial-[a-z]+).spec'];
      return runInCopy(root, [JEST, ...generated], servers);
    });
  }
});
