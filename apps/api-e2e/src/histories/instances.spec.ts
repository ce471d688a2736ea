import { provideDatabase, type TestDatabase } from '@items/testing';

import { databaseUnderTest, describeStarted } from '../harness/service.js';
import type { Instance } from './instance.js';
import { LIMIT_MS, runHistory, SEED, startInstances } from './run-history.js';

describeStarted(`§4 The operations on each member have one order (HISTORY_SEED=${SEED})`, () => {
  let database: TestDatabase;
  let instances: readonly Instance[];

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    instances = await startInstances(databaseUnderTest(), database.url);
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.drop();
  });

  it(
    'for eight clients of two instances that are killed and paused',
    async () => {
      expect((await runHistory({ instances })).judge()).toEqual([]);
    },
    LIMIT_MS,
  );
});
