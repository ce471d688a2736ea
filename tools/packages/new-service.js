import { join } from 'node:path';
import { consumerIn, createConsumer } from './consumer.js';

/**
 * Runs `npm create @items/service my-service`, and the next steps of its README. @type {import('./trial.js').Trial}
 */
export const newService = {
  name: 'npm create @items/service',
  run: async (folder, registry) => {
    const creator = createConsumer(folder, registry);
    try {
      await creator.install(['@items/create-service']);
      await creator.run('node_modules/@items/create-service/dist/cli.js', undefined, {}, ['my-service']);
      const created = consumerIn(join(folder, 'my-service'), registry);
      await created.install([]);
      await created.run('node_modules/typescript/bin/tsc');
      await created.run('dist/service.test.js');
      await created.runScript('admin', ['recount']);
      const said = await created.runScript('admin', ['backup', 'books.backup']);
      return said.includes('Backed up to books.backup') ? [] : [`npm run admin -- backup: ${said}`];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  },
};
