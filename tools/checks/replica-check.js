import { browserCheck } from './browser-check.js';

export const replicaCheck = browserCheck('replica', 'Replicas in IndexedDB, in Chromium', async (executablePath) => {
  const { checkReplica } = await import('../replica/check-replica.js');
  await checkReplica(executablePath);
});
