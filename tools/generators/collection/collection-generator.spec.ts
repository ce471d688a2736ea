import { readFileSync } from 'node:fs';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import type { Tree } from '@nx/devkit';
import { workspacePath } from '../../workspace/root.ts';
import { removeCollectionGenerator } from '../remove-collection/remove-collection-generator.ts';
import { planCollection } from '../plan/plan.ts';
import { registrations } from '../registration/registrations.ts';
import { collectionGenerator } from './collection-generator.ts';

const WIDGETS = { name: 'trial-widgets', field: ['name:string', 'weight:number?'] };
const NOTES = {
  name: 'trial-notes',
  field: ['done:boolean', 'color:string?:filter', 'due_at:date-time?'],
  parent: 'users',
};

const AUTHORS = { name: 'trial-authors', field: ['name:string'] };
const BOOKS = {
  name: 'trial-books',
  field: [
    'isbn:string(17)',
    'stock:integer(0..99)',
    'kind:choice(novel/short story)=novel',
    'colors:choices(red/green)',
    'item_id:reference(items)?',
    'next_id:reference(trial-books)?:keep',
  ],
  parent: 'trial-authors',
  unique: ['isbn', 'item_id+isbn'],
  methods: ['list', 'create', 'get'],
};

/** Files of this workspace in which a collection is registered. */
function workspaceTree() {
  const tree = createTreeWithEmptyWorkspace();
  const modules = ['apps/api/src/items/item.collection.ts', 'apps/api/src/orders/order.collection.ts'];
  const registered = registrations(planCollection(WIDGETS)).map(({ path }) => path);
  for (const path of ['.prettierrc.json', ...modules, ...registered]) {
    tree.write(path, readFileSync(workspacePath(path)));
  }
  return tree;
}

function contentsOf(tree: Tree) {
  return Object.fromEntries(tree.listChanges().map(({ path, type, content }) => [path, [type, content?.toString()]]));
}

function textOf(tree: Tree, path: string) {
  return tree.read(path, 'utf8') ?? '';
}

describe('nx g @items/tools:collection', () => {
  let tree = workspaceTree();
  let before = contentsOf(tree);
  beforeEach(() => {
    tree = workspaceTree();
    before = contentsOf(tree);
  });

  it('writes one file, and its test', async () => {
    await collectionGenerator(tree, WIDGETS);
    const written = Object.keys(contentsOf(tree)).filter((path) => !(path in before));
    expect(written.sort()).toEqual([
      'apps/api-e2e/src/collections/trial-widgets.spec.ts',
      'apps/api/src/trial-widgets.ts',
    ]);
  });

  it('adds it to the list of collections, by one line', async () => {
    await collectionGenerator(tree, WIDGETS);
    const changed = Object.keys(before).filter((path) => textOf(tree, path) !== before[path]?.[1]);
    expect(changed).toEqual(['apps/api/src/collections.ts']);
    const lines = (before['apps/api/src/collections.ts']?.[1] ?? '').split('\n');
    const added = textOf(tree, 'apps/api/src/collections.ts')
      .split('\n')
      .filter((line) => !lines.includes(line));
    expect(added).toEqual(["export { trialWidgets } from './trial-widgets.js';"]);
  });

  it('mentions a field only in one file and in the test', async () => {
    await collectionGenerator(tree, { name: 'trial-widgets', field: ['zebra_count:string?:filter'] });
    const naming = Object.keys(contentsOf(tree)).filter((path) => /^ .*zebra_count/m.test(textOf(tree, path)));
    expect(naming.sort()).toEqual([
      'apps/api-e2e/src/collections/trial-widgets.spec.ts',
      'apps/api/src/trial-widgets.ts',
    ]);
    expect(textOf(tree, 'apps/api/src/trial-widgets.ts').match(/^ {2}zebra_count/gm)).toHaveLength(1);
  });

  it('writes optional fields as nullable', async () => {
    await collectionGenerator(tree, WIDGETS);
    expect(textOf(tree, 'apps/api/src/trial-widgets.ts')).toMatch(
      /@Sortable\(\)\n {2}@Optional\(\)\n {2}@Float\(.*\)\n {2}weight!: number \| null;/,
    );
  });

  it('nests below users', async () => {
    await collectionGenerator(tree, NOTES);
    expect(textOf(tree, 'apps/api/src/trial-notes.ts')).toContain("  parent: 'users',\n  onDelete: 'keep',\n");
  });

  it('writes keys, a parent, references, choices, defaults and methods', async () => {
    await collectionGenerator(tree, AUTHORS);
    await collectionGenerator(tree, BOOKS);
    const text = textOf(tree, 'apps/api/src/trial-books.ts');
    expect(text).toContain("import { items } from './items/item.collection.js';\n");
    expect(text).toContain("import { trialAuthors } from './trial-authors.js';\n");
    expect(text).toContain('  @Reference(items)\n  item_id!: string | null;\n');
    expect(text).toContain("  @Reference(() => trialBooks, { onDelete: 'keep' })\n  next_id!: string | null;\n");
    expect(text).toContain(
      "  @DefaultsTo('novel')\n  @Choice(['novel', 'short story'])\n  kind!: 'novel' | 'short story';\n",
    );
    expect(text).toContain("  @Choices(['red', 'green'])\n  colors!: ('red' | 'green')[];\n");
    expect(text).toContain('  @Integer({ min: 0, max: 99 })\n  stock!: number;\n');
    expect(text).toContain("  parent: trialAuthors,\n  unique: ['isbn', ['item_id', 'isbn']],\n");
    expect(text).toContain("  methods: ['list', 'create', 'get'],\n");
    expect(text).toContain('/** The body of `POST /trial-authors/{trial_author_id}/trial-books`. */\n');
    const spec = textOf(tree, 'apps/api-e2e/src/collections/trial-books.spec.ts');
    expect(spec).toContain("path: '/trial-authors/{trial_author_id}/trial-books',");
    expect(spec).toContain("next_id: 'reference(trial-books)?:keep',");
    expect(spec).toContain("unique: [['isbn'], ['item_id', 'isbn']],");
    expect(spec).toContain("methods: ['list', 'create', 'get'],");
  });

  it.each([
    [{ ...WIDGETS, parent: 'trial-authors' }, 'no collection "trial-authors" in apps/api/src/trial-authors.ts'],
    [{ ...WIDGETS, parent: 'orders' }, 'cannot be below "orders": a collection with a parent is no parent.'],
    [{ ...WIDGETS, parent: 'trial-widgets' }, 'cannot be below itself'],
    [{ ...WIDGETS, field: ['item_id:reference(itemz)'] }, 'There is no collection "itemz"'],
    [{ ...WIDGETS, field: ['a_id:reference(orders)'] }, 'refers by "a_id" to "orders", whose members belong to users'],
    [{ ...WIDGETS, unique: ['size'] }, 'needs a field "size"'],
    [{ ...WIDGETS, methods: ['read'] }, 'methods of "trial_widgets" names "read"'],
  ])('refuses %j, and writes nothing', async (options, sentence) => {
    await expect(collectionGenerator(tree, options)).rejects.toThrow(sentence);
    expect(contentsOf(tree)).toEqual(before);
  });

  it("nests below a parent only if it knows the parent's column", async () => {
    await collectionGenerator(tree, { name: 'trial-houses', singular: 'trial-hall', field: ['name:string'] });
    const once = contentsOf(tree);
    await expect(collectionGenerator(tree, { ...WIDGETS, parent: 'trial-houses' })).rejects.toThrow(
      'A member of "trial-houses" is not called "trial house"',
    );
    expect(contentsOf(tree)).toEqual(once);
  });

  it('enables events with one line of its definition', async () => {
    await collectionGenerator(tree, WIDGETS);
    await collectionGenerator(tree, NOTES);
    for (const name of ['trial-widgets', 'trial-notes']) {
      expect(textOf(tree, `apps/api/src/${name}.ts`)).toContain('  events: true,\n');
    }
    expect(textOf(tree, 'apps/api-e2e/src/collections/trial-widgets.spec.ts')).toContain("events: 'trial_widget',");
  });

  it('writes no events with --no-events', async () => {
    await collectionGenerator(tree, { ...WIDGETS, events: false });
    const naming = Object.keys(contentsOf(tree))
      .filter((path) => !(path in before))
      .flatMap((path) => textOf(tree, path).split('\n'))
      .filter((line) => line.includes('events'));
    expect(naming).toEqual([expect.stringContaining(' --no-events`')]);
  });

  it('refuses kinds of events with digits', async () => {
    const numbered = { ...WIDGETS, name: 'level2-widgets' };
    await expect(collectionGenerator(tree, numbered)).rejects.toThrow('no digits');
    expect(contentsOf(tree)).toEqual(before);
    await collectionGenerator(tree, { ...numbered, events: false });
  });

  it('refuses a second run with a sentence, and changes nothing', async () => {
    await collectionGenerator(tree, WIDGETS);
    const once = contentsOf(tree);
    await expect(collectionGenerator(tree, WIDGETS)).rejects.toThrow(
      'There is "trial-widgets" already, in apps/api/src/trial-widgets.ts',
    );
    await expect(collectionGenerator(tree, { ...NOTES, name: 'trial-widgets' })).rejects.toThrow('nothing was changed');
    expect(contentsOf(tree)).toEqual(once);
  });

  it.each([
    ['items', 'There is "items" already, in apps/api/src/items'],
    [
      'api-keys',
      'A collection cannot be named "api_keys": the service itself has a table, a path or a scope of this name.',
    ],
  ])('%s is refused: the name is taken', async (name, sentence) => {
    await expect(collectionGenerator(tree, { ...WIDGETS, name })).rejects.toThrow(sentence);
    expect(contentsOf(tree)).toEqual(before);
  });

  it('refuses a workspace without the list of collections, and names the list', async () => {
    tree.delete('apps/api/src/collections.ts');
    await expect(collectionGenerator(tree, WIDGETS)).rejects.toThrow('There is no apps/api/src/collections.ts');
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

  it('removes one of several', async () => {
    await collectionGenerator(tree, NOTES);
    const one = contentsOf(tree);
    await collectionGenerator(tree, WIDGETS);
    await removeCollectionGenerator(tree, WIDGETS);
    expect(contentsOf(tree)).toEqual(one);
    await removeCollectionGenerator(tree, NOTES);
    expect(contentsOf(tree)).toEqual(before);
  });

  it('removes a collection only after the collections that use it', async () => {
    await collectionGenerator(tree, AUTHORS);
    const one = contentsOf(tree);
    await collectionGenerator(tree, BOOKS);
    await expect(removeCollectionGenerator(tree, { ...AUTHORS, force: true })).rejects.toThrow(
      '"trial-authors" is used by apps/api/src/trial-books.ts: nothing was changed.',
    );
    await removeCollectionGenerator(tree, BOOKS);
    expect(contentsOf(tree)).toEqual(one);
    await removeCollectionGenerator(tree, AUTHORS);
    expect(contentsOf(tree)).toEqual(before);
  });

  it('refuses to remove a changed file, and names it; --force removes it', async () => {
    await collectionGenerator(tree, WIDGETS);
    const definition = 'apps/api/src/trial-widgets.ts';
    tree.write(definition, `${textOf(tree, definition)}// mine\n`);
    const changed = contentsOf(tree);
    await expect(removeCollectionGenerator(tree, WIDGETS)).rejects.toThrow(
      `Not as it was generated any more: ${definition}. Nothing was changed; --force`,
    );
    expect(contentsOf(tree)).toEqual(changed);
    await removeCollectionGenerator(tree, { ...WIDGETS, force: true });
    expect(contentsOf(tree)).toEqual(before);
  });

  it('refuses if a registration was removed', async () => {
    await collectionGenerator(tree, WIDGETS);
    const list = 'apps/api/src/collections.ts';
    tree.write(list, before[list]?.[1] ?? '');
    await expect(removeCollectionGenerator(tree, WIDGETS)).rejects.toThrow(`any more: ${list}.`);
    await removeCollectionGenerator(tree, { ...WIDGETS, force: true });
    expect(contentsOf(tree)).toEqual(before);
  });

  it.each(['trial-widgets', 'items', 'users', '../x'])(
    'refuses a collection that was not generated: %s',
    async (name) => {
      await expect(removeCollectionGenerator(tree, { name, force: true })).rejects.toThrow(
        `No collection "${name}" was generated here`,
      );
      expect(contentsOf(tree)).toEqual(before);
    },
  );
});
