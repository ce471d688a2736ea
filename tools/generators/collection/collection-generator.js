import { collectionFiles } from '../files/collection-files.js';
import { formatted } from '../files/formatted.js';
import { planCollection } from '../plan/plan.js';
import { edit } from '../registration/edit.js';
import { registrations } from '../registration/registrations.js';
import { requireNew } from './require-new.js';

/**
 * Writes a complete collection and registers it; see docs/add-a-collection.md.
 * @param {import('@nx/devkit').Tree} tree
 * @param {import('../plan/plan.js').CollectionOptions} options
 * @throws {Error} with a sentence, before anything is changed.
 */
export async function collectionGenerator(tree, options) {
  const plan = planCollection(options, nextStamp(tree));
  requireNew(tree, plan);
  for (const { path, text } of collectionFiles(plan)) tree.write(path, await formatted(tree, path, text));
  for (const { path, add } of registrations(plan)) await edit(tree, path, add);
}

/** Now, and in any case after every migration that there is. @param {import('@nx/devkit').Tree} tree */
function nextStamp(tree) {
  const stamps = tree.children('apps/api/src/migrations').map((name) => Number.parseInt(name, 10) || 0);
  return Math.max(Date.now(), ...stamps.map((stamp) => stamp + 1));
}
