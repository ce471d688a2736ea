import type { ServedApp } from '../../http/nest/create-app.js';
import { AdminKey } from '../../access/auth/admin-key.js';
import { ServedDocument } from '../../document/served/served-document.js';
import { warmUpService } from './warm-up.js';

describe('Before a service is ready', () => {
  /** Returns the number of times that the document was made, and that requests were sent. */
  async function warmedUp(config: {
    warmUpMs: number;
    tracing: boolean;
  }): Promise<{ documents: number; runs: number }> {
    const done = { documents: 0, runs: 0 };
    const parts = new Map<unknown, unknown>([
      [AdminKey, { withTemporaryKey: (use: (key: string) => unknown) => use('key') }],
      [ServedDocument, { prepare: () => (done.documents += 1) }],
    ]);
    const app = { get: (part: unknown) => parts.get(part) } as unknown as ServedApp['app'];
    const warmUp = (): Promise<number> => Promise.resolve((done.runs += 1));
    await warmUpService({ app, warmUp }, { ...config, requireHttps: false }, performance.now());
    return done;
  }

  it.each([
    ['its document is made, and its collections are read', 1500, false, { documents: 1, runs: 1 }],
    ['its document is made, and nothing is read that traces would show', 1500, true, { documents: 1, runs: 0 }],
    ['nothing is done where it has no time', 0, false, { documents: 0, runs: 0 }],
  ])('%s', async (_, warmUpMs, tracing, done) => {
    expect(await warmedUp({ warmUpMs, tracing })).toEqual(done);
  });
});
