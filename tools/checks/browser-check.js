import { existsSync } from 'node:fs';
import { failedOnce, passedOnce, skippedOnce } from './outcome.ts';

/** Path of the Debian package. `.ci/run` installs it if it is missing. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/**
 * Makes a check that needs Chromium, and is skipped without it.
 * @param {string} name
 * @param {string} title
 * @param {(executablePath: string) => Promise<void>} run throws if the check fails.
 * @returns {import('./outcome.ts').Check}
 */
export function browserCheck(name, title, run) {
  return {
    name,
    title,
    isLong: true,
    run: async () => {
      if (!existsSync(CHROMIUM)) return skippedOnce(`there is no Chromium at ${CHROMIUM}`);
      try {
        await run(CHROMIUM);
        return passedOnce;
      } catch (error) {
        console.error(error);
        return failedOnce;
      }
    },
  };
}
