import { existsSync } from 'node:fs';
import { failedOnce, passedOnce, skippedOnce } from './outcome.js';

/** Path of the Debian package. `.ci/run` installs it if it is missing. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** @type {import('./outcome.js').Check} */
export const consoleCheck = {
  name: 'console',
  title: 'The console, in Chromium',
  isLong: true,
  run: async () => {
    if (!existsSync(CHROMIUM)) return skippedOnce(`there is no Chromium at ${CHROMIUM}`);
    const { checkConsole } = await import('../console/check-console.js');
    try {
      await checkConsole(CHROMIUM);
      return passedOnce;
    } catch (error) {
      console.error(error);
      return failedOnce;
    }
  },
};
