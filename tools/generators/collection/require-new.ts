import type { Tree } from '@nx/devkit';
import { collectionFiles } from '../files/collection-files.ts';
import { relatedTo, sourceOf } from '../files/template-values.ts';
import { collectionNames } from '../plan/names.ts';
import { textOf, registrations } from '../registration/registrations.ts';
import type { Plan } from '../plan/plan.ts';

/** @throws {Error} if the name is already in use. */
export function requireNew(tree: Tree, plan: Plan) {
  const { plural } = plan.names;
  const folder = `apps/api/src/${plural}`;
  const files = collectionFiles(plan).map(({ path }) => path);
  const taken = tree.children(folder).length > 0 ? folder : files.find((path) => tree.exists(path));
  if (taken !== undefined) throw new Error(`There is "${plural}" already, in ${taken}: nothing was changed.`);
  const known = registrations(plan).find(({ path, has }) => has(textOf(tree, path)));
  if (known !== undefined) throw new Error(`"${plural}" is registered in ${known.path} already: nothing was changed.`);
}

/**
 * Checks the collections that a plan refers to.
 * @throws {Error} if the service would refuse the reference or the parent at its start.
 */
export function requireRelated(tree: Tree, plan: Plan) {
  const { plural, table } = plan.names;
  if (plan.parent === plural) throw new Error(`The collection "${table}" cannot be below itself.`);
  for (const name of relatedTo(plan)) {
    const path = pathOf(name);
    if (!tree.exists(path)) throw new Error(`There is no collection "${name}" in ${path}: generate it first.`);
    const text = textOf(tree, path);
    if (name === plan.parent) requireParent(table, name, text);
    const isOwned = /^ *parent: 'users',$/m.test(text);
    const lost = plan.fields.find(({ argument }) => isOwned && argument.collection === name && !argument.keep);
    if (lost === undefined) continue;
    throw new Error(
      `The collection "${table}" refers by "${lost.name}" to "${name}", whose members belong to users: add ":keep".`,
    );
  }
}

function requireParent(table: string, parent: string, text: string) {
  if (/^ *parent: /m.test(text))
    throw new Error(`The collection "${table}" cannot be below "${parent}": a collection with a parent is no parent.`);
  const { words } = collectionNames(parent);
  if (new RegExp(`\\bsingular: '${words}'`).test(text)) return;
  throw new Error(`A member of "${parent}" is not called "${words}": write "parent: ${parent}" into the file by hand.`);
}

function pathOf(plural: string) {
  return `apps/api/src/${sourceOf(plural).file}.ts`;
}
