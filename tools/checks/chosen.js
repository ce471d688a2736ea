/**
 * Selects the checks for a command line, in their order.
 * @param {readonly import('./outcome.js').Check[]} checks
 * @param {{ named: readonly string[], long: boolean, quick?: boolean }} asked names select any check; without names,
 * the flags select the quick checks, or those that are long or not.
 * @throws {Error} if a name is unknown. The message lists all names.
 */
export function chosen(checks, { named, long, quick = false }) {
  const unknown = named.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) {
    const names = checks.map(({ name }) => name).join(', ');
    throw new Error(`There is no check ${unknown.join(', ')}; there are ${names}.`);
  }
  return checks.filter(({ name, isLong = false, isPart = false, isQuick = false }) => {
    if (named.length > 0) return named.includes(name);
    return quick ? isQuick : isLong === long && !isPart;
  });
}
