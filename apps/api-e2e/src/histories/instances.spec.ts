import { describeStarted } from '../harness/service.js';
import { LIMIT_MS, provideInstances, runHistory, SEED } from './run-history.js';

describeStarted(`§4 The operations on each member have one order (HISTORY_SEED=${SEED})`, () => {
  const instances = provideInstances();

  it(
    'eight clients see one order of operations while two instances are killed and paused',
    async () => {
      expect((await runHistory({ instances: instances() })).judge()).toEqual([]);
    },
    LIMIT_MS,
  );
});
