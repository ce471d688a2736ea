import { createClient, type ClientOptions } from '../../index.js';
import { createReplica, memoryStore, type Replica, type ReplicaOptions } from '../index.js';
import { FaultyNetwork, type Life } from './faulty-network.testing.js';
import { ModelOfService, type ModelRow, type Reply } from './model-of-service.testing.js';
import { Seeded } from './seeded.testing.js';
import { VirtualTime } from './virtual-time.testing.js';

/** A replica with a model of the service, on a virtual clock. */
export interface ReplicaUnderTest {
  readonly time: VirtualTime;
  readonly service: ModelOfService;
  readonly network: FaultyNetwork;
  readonly replica: Replica<ModelRow>;
  readonly statuses: string[];
  readonly errors: unknown[];
  /** Requests with their times in ms. */
  readonly sent: { readonly atMs: number; readonly path: string }[];
  /** Replaces the next responses of the service. */
  readonly instead: Reply[];
}

/**
 * @param client Further options of the client.
 * @param lagMs Maximum time between a write and its listing in the feed.
 */
export function replicaUnderTest(
  options: Partial<ReplicaOptions<ModelRow>> = {},
  client: Partial<ClientOptions> = {},
  lagMs = 0,
): ReplicaUnderTest {
  const time = new VirtualTime();
  time.install();
  const random = new Seeded(1);
  const service = new ModelOfService(time, random, lagMs, 1);
  const network = new FaultyNetwork(time, random, service);
  const life: Life = { isOver: false, open: 0, sentAtMs: [] };
  const [statuses, errors, instead]: [string[], unknown[], Reply[]] = [[], [], []];
  const sent: { atMs: number; path: string }[] = [];
  const send = network.fetchOf(life, instead);
  const watched: typeof fetch = (url, init) => {
    sent.push({ atMs: time.nowMs, path: (url as string).replace('http://localhost', '') });
    return send(url, init);
  };
  const { collection } = createClient({
    baseUrl: 'http://localhost',
    auth: { apiKey: 'key' },
    fetch: watched,
    retry: { random: () => 0 },
    ...client,
  });
  const replica = createReplica<ModelRow>({
    source: collection<ModelRow>('items', { events: 'item' }),
    store: memoryStore(),
    onStatus: (status) => statuses.push(status),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { time, service, network, replica, statuses, errors, sent, instead };
}
