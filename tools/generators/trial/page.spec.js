import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import { workspaceRoot } from '../../workspace/root.js';
import { collectionFiles } from '../files/collection-files.js';
import { formatted } from '../files/formatted.js';
import { FIELD_TYPES } from '../plan/field-types.js';
import { planCollection } from '../plan/plan.js';
import { registrations } from '../registration/registrations.js';

const page = readFileSync(join(workspaceRoot, 'docs/add-a-collection.md'), 'utf8');
const plan = planCollection({ name: 'widgets', field: ['name:string', 'weight:number?'] }, 1_795_000_000_000);

describe('docs/add-a-collection.md', () => {
  it('tells how many lines a collection has to say about itself', async () => {
    const tree = createTreeWithEmptyWorkspace();
    tree.write('.prettierrc.json', readFileSync(join(workspaceRoot, '.prettierrc.json')));
    for (const { path, text } of collectionFiles(plan)) {
      const lines = (await formatted(tree, path, text)).split('\n').length - 1;
      const [, told] = new RegExp(`\`${path.replace(/\d{13}/, '…')}\`.*\\| (\\d+) `).exec(page) ?? [];
      expect([path, told]).toEqual([path, String(lines)]);
    }
  });

  it('tells where it is registered', () => {
    for (const { path } of registrations(plan)) expect(page).toContain(`[\`${path}\`]`);
    expect(page).toContain(
      `UPDATE ${registrations(plan)
        .map(({ path }) => path)
        .join('\nUPDATE ')}`,
    );
  });

  it('has a row for each type of field', () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, type]) => type);
    expect(rows).toEqual(Object.keys(FIELD_TYPES));
  });
});
