import type { Tree } from '@nx/devkit';
import { collectionFiles } from '../files/collection-files.ts';
import { formatted } from '../files/formatted.ts';
import { sourceOf } from '../files/template-values.ts';
import { optionsIn, planCollection } from '../plan/plan.ts';
import { edit, textOf, registrations, type Registration } from '../registration/registrations.ts';

/**
 * Removes the output of the collection generator. Plans the output again from the command in the generated file.
 * Without `force`, refuses if a file was changed since.
 * @throws {Error} with a message for the user, before any change.
 */
export async function removeCollectionGenerator(
  tree: Tree,
  { name, force = false }: { name: string; force?: boolean },
) {
  const plan = writtenPlan(tree, name);
  const files = collectionFiles(plan);
  const places = registrations(plan);
  requireUnused(tree, name);
  if (!force) await requireUnchanged(tree, files, places);
  for (const { path } of files) tree.delete(path);
  for (const { path, has, remove } of places) {
    if (has(textOf(tree, path))) edit(tree, path, remove);
  }
}

function writtenPlan(tree: Tree, name: string) {
  const path = `apps/api/src/${name}.ts`;
  const options = tree.exists(path) ? optionsIn(textOf(tree, path)) : undefined;
  if (options?.name !== name) {
    throw new Error(`No collection "${name}" was generated here: no ${path} says so.`);
  }
  return planCollection(options);
}

/** @throws {Error} if another collection refers to this one. */
function requireUnused(tree: Tree, name: string) {
  const paths = tree.children('apps/api/src').map((file) => `apps/api/src/${file}`);
  const user = paths.find(
    (path) =>
      tree.isFile(path) && textOf(tree, path).includes(`import { ${sourceOf(name).variable} } from './${name}.js';`),
  );
  if (user === undefined) return;
  throw new Error(`"${name}" is used by ${user}: nothing was changed. Take that out first.`);
}

async function requireUnchanged(tree: Tree, files: { path: string; text: string }[], places: Registration[]) {
  const changed = [];
  for (const { path, text } of files) {
    if (tree.read(path, 'utf8') !== (await formatted(tree, path, text))) changed.push(path);
  }
  for (const { path, has } of places) if (!has(textOf(tree, path))) changed.push(path);
  if (changed.length === 0) return;
  throw new Error(
    `Not as it was generated any more: ${[...new Set(changed)].join(', ')}. Nothing was changed; --force removes it all the same.`,
  );
}
