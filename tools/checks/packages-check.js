/**
 * Checks that each published lib is usable: its tarball is complete, installs alone into an empty folder, and works as
 * its README says.
 * @param {string} postgres URL of a server, or empty.
 * @returns {import('./outcome.ts').Check}
 */
export const packagesCheck = (postgres) => ({
  name: 'packages',
  title: 'Packages (from a local registry)',
  isLong: true,
  run: async () => {
    const { tryPackages } = await import('../packages/packages.js');
    const results = await tryPackages(postgres);
    const faulty = results.filter(({ faults }) => faults.length > 0);
    for (const { name, faults } of faulty) console.error([name, ...faults].join('\n  '));
    return { passed: results.length - faulty.length, failed: faulty.length, skipped: 0, notes: [] };
  },
});
