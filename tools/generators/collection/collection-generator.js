import { collectionFiles } from '../files/collection-files.js';
import { formatted } from '../files/formatted.js';
import { planCollection } from '../plan/plan.js';
import { edit } from '../registration/edit.js';
import { registrations } from '../registration/registrations.js';
import { requireNew, requireRelated } from './require-new.js';

/**
 * Writes a collection and registers it. See docs/add-a-collection.md.
 * @param {import('@nx/devkit').Tree} tree
 * @param {import('../plan/plan.js').CollectionOptions} options
 * @throws {Error} with a sentence, before any change.
 */
export async function collectionGenerator(tree, options) {
  const plan = planCollection(options);
  requireNew(tree, plan);
  requireRelated(tree, plan);
  for (const { path, text } of collectionFiles(plan)) tree.write(path, await formatted(tree, path, text));
  for (const { path, add } of registrations(plan)) edit(tree, path, add);
}
