import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import { workspaceRoot } from '../workspace/root.ts';
import { collectionFiles } from './files/collection-files.ts';
import { formatted } from './files/formatted.ts';
import { FIELD_TYPES } from './plan/field-types.ts';
import { planCollection } from './plan/plan.ts';
import { registrations } from './registration/registrations.ts';

const page = readFileSync(join(workspaceRoot, 'docs/add-a-collection.md'), 'utf8');
const plan = planCollection({ name: 'widgets', field: ['name:string', 'weight:number?'] });

describe('docs/add-a-collection.md', () => {
  it('shows the file of a collection', async () => {
    const tree = createTreeWithEmptyWorkspace();
    tree.write('.prettierrc.json', readFileSync(join(workspaceRoot, '.prettierrc.json')));
    const path = 'apps/api/src/widgets.ts';
    const file = collectionFiles(plan).find((each) => each.path === path);
    const written = await formatted(tree, path, file?.text ?? '');
    const [, shown = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
    expect(shown.split('\n\n').length).toBeGreaterThan(1);
    for (const part of shown.split('\n\n')) expect(written).toContain(part.trim());
  });

  it('lists the written files and the changed file', () => {
    const written = collectionFiles(plan).map(({ path }) => `CREATE ${path}`);
    const changed = registrations(plan).map(({ path }) => `UPDATE ${path}`);
    for (const line of [...written, ...changed]) expect(page).toContain(line);
  });

  it('has a row for each type of field', () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, type]) => type);
    expect(rows).toEqual(Object.keys(FIELD_TYPES));
  });
});
