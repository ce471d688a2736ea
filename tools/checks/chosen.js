/**
 * The checks that a command line asks for, in their order.
 * @param {readonly import('./outcome.js').Check[]} checks
 * @param {{ named: readonly string[], long: boolean, quick?: boolean }} asked names select whatever they name; without any, the
 * quick ones or those that are long or not.
 * @throws {Error} which names there are, where one is unknown.
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
