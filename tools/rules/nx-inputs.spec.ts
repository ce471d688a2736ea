import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { namedInputs, targetDefaults } = read('nx.json');

/** Variables that describe the process, and variables that a test sets itself. */
const OWN = ['PATH', 'PORT', 'NODE_PATH', 'JEST_WORKER_ID', 'HANDED_OVER', 'FOLDER_OF_APPS', 'PUBLISHED'];

/** Returns the names of the environment variables that the sources below a folder read. */
function variablesIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(js|ts)$/.test(file) && !/(^|\/)(node_modules|dist|fixtures)\//.test(file))
    .flatMap((file) => [
      ...readFileSync(join(root, folder, file), 'utf8').matchAll(/process\.env(?:\.|\[')([A-Z][A-Z0-9_]+)/g),
    ])
    .map(([, name = '']) => name);
}

describe('Nx does not replay a result from another environment', () => {
  const surroundings = namedInputs.surroundings;

  it('because the environment of the tests and the version of Node are inputs', () => {
    const known = surroundings.map(({ env }: { env?: string }) => env);
    const used = new Set([...variablesIn('libs/testing/src'), ...variablesIn('apps/api-e2e')]);
    expect([...used].filter((name) => !known.includes(name) && !OWN.includes(name))).toEqual([]);
    expect(surroundings).toContainEqual({ runtime: 'node --version' });
    for (const target of ['test', 'e2e']) expect(targetDefaults[target].inputs).toContain('surroundings');
  });

  it('because documents, deployment files, examples and all sources are inputs', () => {
    const { targets } = read('tools/package.json').nx;
    for (const inputs of [targets.test.inputs, targetDefaults.e2e.inputs]) expect(inputs).toContain('workspace');
    for (const folder of ['docs', 'apps', 'deploy', 'examples', 'libs'])
      expect(namedInputs.workspace).toContain(`{workspaceRoot}/${folder}/**/*`);
  });
});
