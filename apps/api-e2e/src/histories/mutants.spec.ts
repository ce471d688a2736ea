import { describeStarted } from '../harness/service.js';
import { MUTANTS, startProxy } from './mutants.js';
import { provideInstances, runHistory } from './run-history.js';

const SECONDS = 5;

describeStarted('The judge of histories notices', () => {
  const provided = provideInstances();

  it.each(MUTANTS)('$title', async ({ start }) => {
    const instances = provided();
    const handle = start();
    const proxies = await Promise.all(instances.map(({ address }) => startProxy(address, handle)));
    const addresses = proxies.map(({ address }) => address);
    const history = await runHistory({ instances, addresses, seconds: SECONDS, disturbs: false });
    for (const proxy of proxies) proxy.stop();
    expect(history.judge()).not.toEqual([]);
  });
});
