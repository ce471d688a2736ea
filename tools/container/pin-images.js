import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { run } from '../workspace/run.js';

const DOCKERFILE = join(workspaceRoot, 'Dockerfile');
const IMAGE = /^(ARG (?:NODE|BASE)=)([^@\s]+)(?:@\S+)?$/gm;

/**
 * Writes the current digests of the image tags into the Dockerfile, so that a release can be rebuilt from the same
 * images.
 * @returns {Promise<boolean>} whether the file has changed. Prints a message and returns false if Docker cannot
 * provide the digests.
 */
export async function pinImages() {
  const text = readFileSync(DOCKERFILE, 'utf8');
  const digests = new Map();
  for (const [, , image = ''] of text.matchAll(IMAGE)) {
    const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
    const { ok, output } = await run('docker', inspect, { output: 'collect' });
    if (!ok || !/^sha256:[0-9a-f]{64}\s*$/.test(output)) {
      console.error(`Docker does not tell the digest of ${image}: the Dockerfile stays as it is.\n${output.trim()}`);
      return false;
    }
    digests.set(image, output.trim());
  }
  const pinned = withDigests(text, digests);
  writeFileSync(DOCKERFILE, pinned);
  return pinned !== text;
}

/** @param {string} dockerfile @param {ReadonlyMap<string, string>} digests by image. */
export function withDigests(dockerfile, digests) {
  return dockerfile.replaceAll(IMAGE, (_, start, image) => `${start}${image}@${digests.get(image)}`);
}
