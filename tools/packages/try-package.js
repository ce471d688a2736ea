import { builtinModules } from 'node:module';
import { createConsumer } from './consumer.js';
import { readmeExample } from './readme-example.js';

/**
 * Installs one package into an empty folder, loads it as an ES module and as CommonJS, and runs the example of its
 * README.
 * @param {import('./publishable.js').Package} lib
 * @param {{ folder: string, registry: string }} options
 * @returns {Promise<string[]>} problems.
 */
export async function tryPackage({ name, folder, manifest }, options) {
  const consumer = createConsumer(options.folder, options.registry);
  const example = readmeExample(folder);
  const used = (example?.imports ?? []).filter((each) => each !== name && !builtinModules.includes(each));
  const versions = { ...manifest.devDependencies, ...manifest.peerDependencies, ...manifest.dependencies };
  const beside = used.map((each) => (each.startsWith('@items/') ? each : `${each}@${versions[each] ?? 'latest'}`));
  try {
    await consumer.install([name, ...beside]);
    await consumer.run(
      'module.mjs',
      `const all = await import('${name}'); if (Object.keys(all).length === 0) throw all;\n`,
    );
    await consumer.run('common.cjs', `if (Object.keys(require('${name}')).length === 0) throw new Error('empty');\n`);
    if (example === undefined || !example.isOffline) return [];
    const printed = (await consumer.run('example.mjs', example.code)).trimEnd();
    return printed === example.prints ? [] : [`its README's example prints\n${printed}\nnot\n${example.prints}`];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
