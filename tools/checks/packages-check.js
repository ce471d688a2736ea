/**
 * Each lib can be had: its tarball is whole, installs alone into an empty folder, and does what its README says.
 * @param {string} postgres URL of a server; empty where there is none.
 * @returns {import('./outcome.js').Check}
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
