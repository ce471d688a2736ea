import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import { workspaceRoot } from '../../workspace/root.js';
import { removeCollectionGenerator } from '../remove-collection/remove-collection-generator.js';
import { planCollection } from '../plan/plan.js';
import { registrations } from '../registration/registrations.js';
import { collectionGenerator } from './collection-generator.js';

const MIGRATIONS = 'apps/api/src/migrations';
const WIDGETS = { name: 'trial-widgets', field: ['name:string', 'weight:number?'] };
const NOTES = {
  name: 'trial-notes',
  field: ['done:boolean', 'color:string?:filter', 'due_at:date-time?'],
  parent: 'users',
};

/** The files of this workspace that a collection is registered in. */
function workspaceTree() {
  const tree = createTreeWithEmptyWorkspace();
  const migrations = [MIGRATIONS, 'libs/service/src/migrations'].flatMap((folder) =>
    readdirSync(join(workspaceRoot, folder)).map((name) => `${folder}/${name}`),
  );
  const registered = registrations(planCollection(WIDGETS, 1)).map(({ path }) => path);
  const taken = ['libs/contracts/src/item.ts', 'libs/contracts/src/role.ts'];
  const imported = ['contracts', 'conventions', 'fields'].map((lib) => `libs/${lib}/src/index.ts`);
  for (const path of ['.prettierrc.json', ...taken, ...imported, ...migrations, ...registered]) {
    tree.write(path, readFileSync(join(workspaceRoot, path)));
  }
  return tree;
}

/** @param {import('@nx/devkit').Tree} tree */
function contentsOf(tree) {
  return Object.fromEntries(tree.listChanges().map(({ path, type, content }) => [path, [type, content?.toString()]]));
}

/** @param {import('@nx/devkit').Tree} tree @param {string} path */
function textOf(tree, path) {
  return tree.read(path, 'utf8') ?? '';
}

describe('nx g @items/tools:collection', () => {
  let tree = workspaceTree();
  let before = contentsOf(tree);
  beforeEach(() => {
    tree = workspaceTree();
    before = contentsOf(tree);
  });

  it('writes a file for each place that a collection has', async () => {
    await collectionGenerator(tree, WIDGETS);
    const written = Object.keys(contentsOf(tree)).filter((path) => !(path in before));
    expect(written.map((path) => path.replace(/\d{13}/, '<time>')).sort()).toEqual([
      'apps/api-e2e/src/collections/trial-widgets.spec.ts',
      'apps/api/src/migrations/<time>-create-trial-widgets.ts',
      'apps/api/src/trial-widgets/trial-widget.collection.ts',
      'apps/api/src/trial-widgets/trial-widgets.module.ts',
      'libs/contracts/src/trial-widget.ts',
      'libs/dtos/src/trial-widget-input.dto.ts',
    ]);
  });

  it('registers it in three places, by one line each', async () => {
    await collectionGenerator(tree, WIDGETS);
    const changed = Object.keys(before).filter((path) => textOf(tree, path) !== before[path]?.[1]);
    expect(changed.sort()).toEqual([
      'apps/api/src/collection-modules.ts',
      'libs/contracts/src/collections.ts',
      'libs/dtos/src/index.ts',
    ]);
    for (const path of changed) {
      const lines = (before[path]?.[1] ?? '').split('\n');
      expect([path, textOf(tree, path).split('\n').length]).toEqual([path, lines.length + 1]);
    }
  });

  it('names a field in three places: the type on the wire, the class, the migration; and in the test', async () => {
    await collectionGenerator(tree, { name: 'trial-widgets', field: ['zebra_count:string?:filter'] });
    const naming = Object.keys(contentsOf(tree)).filter((path) => textOf(tree, path).includes('zebra_count'));
    expect(naming.map((path) => path.replace(/\d{13}/, '<time>')).sort()).toEqual([
      'apps/api-e2e/src/collections/trial-widgets.spec.ts',
      'apps/api/src/migrations/<time>-create-trial-widgets.ts',
      'libs/contracts/src/trial-widget.ts',
      'libs/dtos/src/trial-widget-input.dto.ts',
    ]);
  });

  it('makes migrations whose order is that of the commands', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1);
    await collectionGenerator(tree, WIDGETS);
    await collectionGenerator(tree, NOTES);
    now.mockRestore();
    const stamps = tree.children(MIGRATIONS).map((name) => Number.parseInt(name, 10) || 0);
    const last = [...stamps].sort((a, b) => a - b).slice(-2);
    expect(tree.children(MIGRATIONS)).toEqual(
      expect.arrayContaining([`${last[0]}-create-trial-widgets.ts`, `${last[1]}-create-trial-notes.ts`]),
    );
  });

  it('makes columns that are null where fields may be', async () => {
    await collectionGenerator(tree, WIDGETS);
    const [migration] = tree.children(MIGRATIONS).filter((name) => name.endsWith('create-trial-widgets.ts'));
    expect(textOf(tree, `${MIGRATIONS}/${migration}`)).toContain('[`name ${text} NOT NULL`, `weight ${float}`]');
  });

  it('nests below users', async () => {
    await collectionGenerator(tree, NOTES);
    expect(textOf(tree, 'apps/api/src/trial-notes/trial-notes.module.ts')).toContain(
      `path: 'users/:user_id/trial-notes'`,
    );
    expect(textOf(tree, 'apps/api/src/trial-notes/trial-note.collection.ts')).toContain("parent: 'user_id',");
  });

  it('tells of its changes by one line of its definition, and by types of its contract', async () => {
    await collectionGenerator(tree, WIDGETS);
    await collectionGenerator(tree, NOTES);
    const definition = textOf(tree, 'apps/api/src/trial-widgets/trial-widget.collection.ts');
    expect(definition.split('\n').filter((line) => line.includes('events'))).toEqual(["  events: 'trial_widget',"]);
    expect(textOf(tree, 'apps/api/src/trial-notes/trial-note.collection.ts')).toContain(
      "  events: { subject: 'trial_note', owner: 'user_id' },\n",
    );
    expect(textOf(tree, 'libs/contracts/src/trial-widget.ts')).toContain(
      "readonly 'trial_widget.updated': ToldChange<TrialWidget>;",
    );
    expect(textOf(tree, 'apps/api-e2e/src/collections/trial-widgets.spec.ts')).toContain("events: 'trial_widget',");
  });

  it('names no events with --no-events', async () => {
    await collectionGenerator(tree, { ...WIDGETS, events: false });
    const naming = Object.keys(contentsOf(tree))
      .filter((path) => !(path in before))
      .filter((path) => /events|trial_widget\./.test(textOf(tree, path)));
    expect(naming.map((path) => path.replace(/\d{13}/, '<time>'))).toEqual([
      'apps/api/src/migrations/<time>-create-trial-widgets.ts',
    ]);
    expect(naming.map((path) => textOf(tree, path))).toEqual([expect.stringContaining(' --no-events`')]);
  });

  it('refuses kinds of events with digits', async () => {
    const numbered = { ...WIDGETS, name: 'level2-widgets' };
    await expect(collectionGenerator(tree, numbered)).rejects.toThrow('The kinds of events have no digits');
    expect(contentsOf(tree)).toEqual(before);
    await collectionGenerator(tree, { ...numbered, events: false });
  });

  it('run twice it is refused with a sentence, and changes nothing', async () => {
    await collectionGenerator(tree, WIDGETS);
    const once = contentsOf(tree);
    await expect(collectionGenerator(tree, WIDGETS)).rejects.toThrow(
      'There is "trial-widgets" already, in apps/api/src/trial-widgets',
    );
    await expect(collectionGenerator(tree, { ...NOTES, name: 'trial-widgets' })).rejects.toThrow('nothing was changed');
    expect(contentsOf(tree)).toEqual(once);
  });

  it.each([
    ['items', 'There is "items" already, in libs/contracts/src/item.ts'],
    ['roles', 'There is "roles" already, in libs/contracts/src/role.ts'],
    ['api-keys', 'There is a table "api_keys" already, made by libs/service/src/migrations/'],
    ['client-secrets', 'There is a table "client_secrets" already, made by libs/service/src/migrations/'],
    ['error-details', 'libs/conventions/src/index.ts exports a "ErrorDetail" already'],
  ])('%s is refused: the name is taken', async (name, sentence) => {
    await expect(collectionGenerator(tree, { ...WIDGETS, name })).rejects.toThrow(sentence);
    expect(contentsOf(tree)).toEqual(before);
  });

  it('in a workspace without the lists that it adds to, it says which', async () => {
    tree.delete('apps/api/src/collection-modules.ts');
    await expect(collectionGenerator(tree, WIDGETS)).rejects.toThrow('There is no apps/api/src/collection-modules.ts');
  });
});

describe('nx g @items/tools:remove-collection', () => {
  let tree = workspaceTree();
  let before = contentsOf(tree);
  beforeEach(() => {
    tree = workspaceTree();
    before = contentsOf(tree);
  });

  it.each([
    [WIDGETS],
    [NOTES],
    [{ ...WIDGETS, events: false }],
    [{ ...NOTES, events: false }],
    [{ name: 'fungi', singular: 'fungus', field: ['name:string'] }],
    [{ ...NOTES, name: 'notes-of-very-many-words' }],
  ])('leaves the tree as it was, byte for byte: %j', async (options) => {
    await collectionGenerator(tree, options);
    await removeCollectionGenerator(tree, options);
    expect(contentsOf(tree)).toEqual(before);
  });

  it('takes out one of several', async () => {
    await collectionGenerator(tree, NOTES);
    const one = contentsOf(tree);
    await collectionGenerator(tree, WIDGETS);
    await removeCollectionGenerator(tree, WIDGETS);
    expect(contentsOf(tree)).toEqual(one);
    await removeCollectionGenerator(tree, NOTES);
    expect(contentsOf(tree)).toEqual(before);
  });

  it('refuses where somebody has changed a file, and names it; --force does not', async () => {
    await collectionGenerator(tree, WIDGETS);
    const definition = 'apps/api/src/trial-widgets/trial-widget.collection.ts';
    tree.write(definition, `${textOf(tree, definition)}// mine\n`);
    const changed = contentsOf(tree);
    await expect(removeCollectionGenerator(tree, WIDGETS)).rejects.toThrow(
      `Not as it was generated any more: ${definition}. Nothing was changed; --force`,
    );
    expect(contentsOf(tree)).toEqual(changed);
    await removeCollectionGenerator(tree, { ...WIDGETS, force: true });
    expect(contentsOf(tree)).toEqual(before);
  });

  it('refuses where somebody has taken out a registration', async () => {
    await collectionGenerator(tree, WIDGETS);
    const list = 'apps/api/src/collection-modules.ts';
    tree.write(list, before[list]?.[1] ?? '');
    await expect(removeCollectionGenerator(tree, WIDGETS)).rejects.toThrow(`any more: ${list}.`);
    await removeCollectionGenerator(tree, { ...WIDGETS, force: true });
    expect(contentsOf(tree)).toEqual(before);
  });

  it.each(['trial-widgets', 'items', 'users', '../x'])('refuses what was not generated: %s', async (name) => {
    await expect(removeCollectionGenerator(tree, { name, force: true })).rejects.toThrow(
      `No collection "${name}" was generated here`,
    );
    expect(contentsOf(tree)).toEqual(before);
  });
});
