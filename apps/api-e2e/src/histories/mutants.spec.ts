import { provideDatabase, type TestDatabase } from '@items/testing';

import { databaseUnderTest, describeStarted } from '../harness/service.js';
import type { Instance } from './instance.js';
import { MUTANTS, startProxy } from './mutants.js';
import { runHistory, startInstances } from './run-history.js';

const SECONDS = 5;

describeStarted('The judge of histories notices', () => {
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

  it.each(MUTANTS)('$title', async ({ start }) => {
    const handle = start();
    const proxies = await Promise.all(instances.map(({ address }) => startProxy(address, handle)));
    const addresses = proxies.map(({ address }) => address);
    const history = await runHistory({ instances, addresses, seconds: SECONDS, disturbs: false });
    for (const proxy of proxies) proxy.stop();
    expect(history.judge()).not.toEqual([]);
  });
});
