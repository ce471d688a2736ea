import { createContext, runInContext } from 'node:vm';

import { stop } from 'esbuild';

import { bundleForBrowser } from './browser-bundle.ts';

/** The universal libs, and their maximum sizes in a browser. */
const LIBS = [
  { name: 'dtos/contract', maxGzipBytes: 1_100 },
  { name: 'client', maxGzipBytes: 8_192 },
  { name: 'client/admin', maxGzipBytes: 4_500 },
  { name: 'client/oauth', maxGzipBytes: 3_072 },
  { name: 'client/react-query', maxGzipBytes: 2_000 },
  { name: 'client/replica', maxGzipBytes: 6_000 },
  { name: 'client/replica/indexed-db', maxGzipBytes: 2_048 },
  { name: 'client/tanstack-db', maxGzipBytes: 7_000 },
  { name: 'client/webhooks', maxGzipBytes: 2_000 },
  { name: 'conventions', maxGzipBytes: 5_000 },
  { name: 'conventions/answer', maxGzipBytes: 4_000 },
  { name: 'paging', maxGzipBytes: 7_500 },
  { name: 'fields', maxGzipBytes: 11_900 },
  { name: 'dtos', maxGzipBytes: 15_600 },
];

/** Built-in modules, external in a bundle for Node. */
const NODE = ['node:*'];

/** Runs a script in bare ECMAScript: no API of Node or browsers. */
async function evaluate(contents: string, expression: string): Promise<unknown> {
  const { script } = await bundleForBrowser(contents);
  return JSON.parse(runInContext(`${script}; JSON.stringify(${expression})`, createContext({})) as string);
}

// Stop esbuild's child process, which would prevent Jest from exiting.
afterAll(() => stop());

describe('The universal libs bundle for a browser', () => {
  it.each(LIBS)('$name, within its maximum size', async ({ name, maxGzipBytes }) => {
    const { bytes, gzipBytes } = await bundleForBrowser(`export * from '@items/${name}';`);
    process.stdout.write(`@items/${name}: ${String(bytes)} bytes, ${String(gzipBytes)} after gzip\n`);
    expect(gzipBytes).toBeLessThan(maxGzipBytes);
  });

  it.each([
    ['replica', 3_072],
    ['replica/indexed-db', 2_048],
    ['replica/sqlite', 2_048],
  ])('client/%s adds at most %d bytes to the main entry', async (name, maxGzipBytes) => {
    const main = await bundleForBrowser(`export * from '@items/client';`, NODE);
    const both = await bundleForBrowser(`export * from '@items/client'; export * from '@items/client/${name}';`, NODE);
    const bytes = both.gzipBytes - main.gzipBytes;
    process.stdout.write(`@items/client/${name}: ${String(bytes)} without the main entry\n`);
    expect(bytes).toBeLessThanOrEqual(maxGzipBytes);
  });

  it('client, without the verification of webhooks', async () => {
    expect((await bundleForBrowser(`export * from '@items/client';`)).script).not.toContain('whsec_');
    expect((await bundleForBrowser(`export * from '@items/client/webhooks';`)).script).toContain('whsec_');
  });

  it('code that needs Node does not bundle, so that the test above can fail', async () => {
    await expect(bundleForBrowser(`export { createHmac } from 'node:crypto';`)).rejects.toThrow('node:crypto');
  });

  it.each(LIBS)('$name runs in bare ECMAScript', async ({ name }) => {
    const exported = await evaluate(`export * from '@items/${name}';`, 'Object.keys(bundle)');
    expect(exported).not.toEqual([]);
    // An export `then` makes the module a thenable: `await import()` would call it, and never return the module.
    expect(exported).not.toContain('then');
  });

  it('validates in bare ECMAScript as in Node', async () => {
    const contents = `
      import { ItemInputDto } from '@items/dtos';
import { validate } from '@items/fields';
      export const accepted = validate(ItemInputDto, { name: ' Mug ', price: 4.35 });
      export let refused;
      try { validate(ItemInputDto, { colour: 'red' }); } catch (error) { refused = error.details.map(({ field, code }) => field + ' ' + code); }`;
    expect(await evaluate(contents, 'bundle')).toEqual({
      accepted: { name: 'Mug', description: null, color: null, price: 4.35 },
      refused: ['colour unknown_field', 'name required'],
    });
  });

  it('decodes cursors in bare ECMAScript as in Node', async () => {
    const contents = `
      import { decodeCursor, encodeCursor, sealBy } from '@items/paging';
      const seal = sealBy((bytes) => new Uint8Array(16).fill(bytes.length));
      const position = { fingerprint: 'f', issuedAtMs: 1, snapshot: [1], key: ['😀', null, 2], id: 'i', epoch: 'e' };
      export const { key } = decodeCursor(encodeCursor(position, seal), 'f', [seal]);`;
    expect(await evaluate(contents, 'bundle.key')).toEqual(['😀', null, 2]);
  });
});
