import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { EncodedBody } from '../served/encoded-body.js';

let loaded: Promise<EncodedBody> | undefined;

/** Loaded once per process when a page is first shown. */
export function scalarScript(): Promise<EncodedBody> {
  return (loaded ??= loadScript());
}

async function loadScript(): Promise<EncodedBody> {
  // The path works from src/ and from dist/.
  const worker = new Worker(new URL('../../../assets/scalar-worker.js', import.meta.url));
  const [script] = (await once(worker, 'message')) as [Uint8Array];
  return new EncodedBody(Buffer.from(script));
}
