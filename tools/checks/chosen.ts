import type { Check } from './outcome.ts';

interface Choice {
  named: readonly string[];
  long: boolean;
  quick?: boolean;
}

/**
 * Selects the checks for a command line, in their order: those with the given names, or else by the flags.
 * @throws {Error} if a name is unknown. The message lists all names.
 */
export function chosen(checks: readonly Check[], { named, long, quick = false }: Choice): Check[] {
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
