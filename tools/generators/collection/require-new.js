import { collectionFiles } from '../files/collection-files.js';
import { textOf } from '../registration/edit.js';
import { registrations } from '../registration/registrations.js';

const MIGRATIONS = ['apps/api/src/migrations', 'libs/service/src/service/migrations'];

/**
 * @param {import('@nx/devkit').Tree} tree
 * @param {import('../plan/plan.js').Plan} plan
 * @throws {Error} with a sentence, if the name is already in use.
 */
export function requireNew(tree, plan) {
  const { plural, table } = plan.names;
  const folders = ['apps/api/src', 'libs/service/src'].map((source) => `${source}/${plural}`);
  const files = collectionFiles(plan).map(({ path }) => path);
  const folder = folders.find((path) => tree.children(path).length > 0);
  const taken = folder ?? files.find((path) => tree.exists(path));
  if (taken !== undefined) throw new Error(`There is "${plural}" already, in ${taken}: nothing was changed.`);
  const known = registrations(plan).find(({ path, has }) => has(textOf(tree, path)));
  if (known !== undefined) throw new Error(`"${plural}" is registered in ${known.path} already: nothing was changed.`);
  const made = new RegExp(`CREATE TABLE ${table} |table: '${table}'|"${table}"`);
  const migrations = MIGRATIONS.flatMap((folder) => tree.children(folder).map((name) => `${folder}/${name}`));
  const migration = migrations.find((path) => made.test(textOf(tree, path)));
  if (migration !== undefined) {
    throw new Error(`There is a table "${table}" already, made by ${migration}: nothing was changed.`);
  }
}
