import type { Tree } from '@nx/devkit';
import { collectionFiles } from '../files/collection-files.ts';
import { formatted } from '../files/formatted.ts';
import { planCollection, type CollectionOptions } from '../plan/plan.ts';
import { edit, registrations } from '../registration/registrations.ts';
import { requireNew, requireRelated } from './require-new.ts';

/**
 * Writes a collection and registers it. See docs/add-a-collection.md.
 * @throws {Error} with a message for the user, before any change.
 */
export async function collectionGenerator(tree: Tree, options: CollectionOptions) {
  const plan = planCollection(options);
  requireNew(tree, plan);
  requireRelated(tree, plan);
  for (const { path, text } of collectionFiles(plan)) tree.write(path, await formatted(tree, path, text));
  for (const { path, add } of registrations(plan)) edit(tree, path, add);
}
