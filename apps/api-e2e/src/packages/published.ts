import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Packed } from '@items/tools/packages/pack.ts';
import type { Package } from '@items/tools/packages/publishable.ts';

/** The packages that `global-setup-packages.js` has packed and published. */
export interface Published {
  /** Working folder outside the workspace, removed after the run. */
  readonly folder: string;
  /** URL of a registry that contains only our packages. */
  readonly registry: string;
  /** The libs in the workspace. */
  readonly libs: readonly Package[];
  /** Their tarballs, in `tarballs` of the folder. */
  readonly packed: readonly Packed[];
}

export const published = readPublished();

export function tarballOf({ filename }: Packed): string {
  return join(published.folder, 'tarballs', filename);
}

function readPublished(): Published {
  const folder = process.env['PUBLISHED'];
  if (folder === undefined) throw new Error('No packages: run Jest with apps/api-e2e/packages.config.js');
  return JSON.parse(readFileSync(join(folder, 'published.json'), 'utf8')) as Published;
}
