import { startApp, type RunningApp } from '@items/testing';
import { runNode } from '@items/tools/workspace/run.ts';

import { installedCopy } from './consumer.js';

/** The list after all commands: red items cost 10 % less, and the repeated import created no duplicates. */
const LISTED = ['31.46  Red teapot (red)', '12.50  Blue mug (blue)', '11.25  Red mug (red)', '3.00  Saucer'];

export function describeNodeScript(): void {
  describe('examples/node-script, with the service', () => {
    let app: RunningApp;
    let folder: string;
    beforeAll(async () => {
      app = await startApp({ database: 'sqlite' });
      ({ folder } = await installedCopy('examples/node-script'));
    });
    afterAll(() => app.stop());

    const shop = (...args: string[]): ReturnType<typeof runNode> => {
      const env = { ITEMS_URL: app.baseUrl, ITEMS_KEY: app.adminKey };
      return runNode(['shop.js', ...args], { output: 'collect', cwd: folder, limitMs: 300_000, env });
    };

    it('imports the same items when it imports a file twice, lowers prices, and lists', async () => {
      const first = await shop('import', 'items.ndjson');
      expect(first).toEqual({ ok: true, output: first.output });
      expect(await shop('import', 'items.ndjson')).toEqual(first);
      expect((await shop('sale', 'red', '10')).output).toBe('Red mug: 12.5 → 11.25\nRed teapot: 34.95 → 31.46\n');
      expect((await shop('list')).output.trimEnd().split('\n')).toEqual(LISTED);
    });

    it('names the wrong argument', async () => {
      expect((await shop('sale', 'red', 'much')).output).toMatch(/percent must be a number/);
    });

    it('names the variables that it needs', async () => {
      expect((await shop()).output).toMatch(/ITEMS_URL and ITEMS_KEY/);
    });
  });
}
