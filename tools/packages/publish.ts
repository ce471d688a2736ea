import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Package } from './publishable.ts';

export type Publishing = Pick<Package, 'name' | 'manifest'>;

/** Publishes a package to a registry like `npm publish`, but without starting npm for each package. */
export async function publish({ name, manifest }: Publishing, tarball: string, registry: string): Promise<void> {
  const bytes = readFileSync(tarball);
  const file = `${name}-${manifest.version}.tgz`;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const shasum = createHash('sha1').update(bytes).digest('hex');
  const dist = { integrity, shasum, tarball: `${registry}${name}/-/${basename(file)}` };
  const answer = await fetch(`${registry}${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ _id: name, name, 'dist-tags': { latest: manifest.version } },
      versions: { [manifest.version]: { ...manifest, _id: `${name}@${manifest.version}`, dist } },
      _attachments: {
        [file]: { content_type: 'application/octet-stream', data: bytes.toString('base64'), length: bytes.length },
      },
    }),
  });
  if (!answer.ok) throw new Error(`The registry refused ${name}: ${String(answer.status)} ${await answer.text()}`);
}
