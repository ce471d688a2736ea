import { readFileSync, writeFileSync } from 'node:fs';
import { workspacePath } from '../workspace/root.ts';
import { run } from '../workspace/run.ts';

const DOCKERFILE = workspacePath('Dockerfile');
const IMAGE = /^(ARG (?:NODE|BASE)=)([^@\s]+)(?:@\S+)?$/gm;

/**
 * Writes the current digests of the image tags into the Dockerfile, so that a release can be rebuilt from the same
 * images.
 * @returns true if the file has changed. Prints a message and returns false if Docker cannot provide the digests.
 */
export async function pinImages(): Promise<boolean> {
  const text = readFileSync(DOCKERFILE, 'utf8');
  const digests = new Map();
  for (const [, , image = ''] of text.matchAll(IMAGE)) {
    const inspect = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
    const { ok, output } = await run('docker', inspect, { output: 'collect' });
    if (!ok || !/^sha256:[0-9a-f]{64}\s*$/.test(output)) {
      console.error(`Docker does not return the digest of ${image}: the Dockerfile is unchanged.\n${output.trim()}`);
      return false;
    }
    digests.set(image, output.trim());
  }
  const pinned = withDigests(text, digests);
  writeFileSync(DOCKERFILE, pinned);
  return pinned !== text;
}

export function withDigests(dockerfile: string, digests: ReadonlyMap<string, string>) {
  return dockerfile.replaceAll(IMAGE, (_, start, image) => `${start}${image}@${digests.get(image)}`);
}
