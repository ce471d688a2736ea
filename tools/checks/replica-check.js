import { existsSync } from 'node:fs';
import { failedOnce, passedOnce, skippedOnce } from './outcome.js';

/** Path of the Debian package. `.ci/run` installs it if it is missing. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** @type {import('./outcome.js').Check} */
export const replicaCheck = {
  name: 'replica',
  title: 'Replicas in IndexedDB, in Chromium',
  isLong: true,
  run: async () => {
    if (!existsSync(CHROMIUM)) return skippedOnce(`there is no Chromium at ${CHROMIUM}`);
    const { checkReplica } = await import('../replica/check-replica.js');
    try {
      await checkReplica(CHROMIUM);
      return passedOnce;
    } catch (error) {
      console.error(error);
      return failedOnce;
    }
  },
};
