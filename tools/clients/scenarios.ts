import { inspect } from 'node:util';

import { FaultServer, type Fault, type ReceivedRequest } from '@items/testing';
import type { Adapter } from './adapters.ts';

interface Seen {
  adapter: Adapter;
  /** Undefined after a success. */
  error: unknown;
  requests: ReceivedRequest[];
  /** Arrival time of each request, in ms since the call. */
  atMs: number[];
  tookMs: number;
}

interface Scenario {
  /** Expected behaviour, shown as a row of the table. */
  point: string;
  plan: Plan;
  /** Default `read`. */
  call?: 'read' | 'create' | 'update';
  holds: (seen: Seen) => boolean;
}

type Plan = (index: number, elsewhere: string) => Fault | undefined;

const refused = (status: number, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  answer: { status, headers, body: { error: 'A sentence.', code: 'a_code' } },
});
const page = (status: number, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  answer: { status, headers: { 'content-type': 'text/html', ...headers }, body: '<html>Not the service</html>' },
});
const first =
  (fault: Fault): Plan =>
  (index) =>
    index === 0 ? fault : undefined;
const always =
  (fault: () => Fault): Plan =>
  () =>
    fault();

const succeeds = ({ error }: Seen) => error === undefined;
const asksOnce = ({ requests, error }: Seen) => error !== undefined && requests.length === 1;
const succeedsAfter = (ms: number) => (seen: Seen) => succeeds(seen) && (seen.atMs[1] ?? 0) - (seen.atMs[0] ?? 0) >= ms;
const shows = ({ error, adapter }: Seen) => inspect([error, adapter.client], { depth: 20 }).includes(adapter.secret);
const sameTwice = ({ requests: [one, other], error }: Seen) =>
  error === undefined &&
  one?.headers['idempotency-key'] !== undefined &&
  one.headers['idempotency-key'] === other?.headers['idempotency-key'] &&
  one.body === other?.body;

/** Client behaviour that §8 of the seed specification requires, and behaviour that must not happen. */
export const scenarios: readonly Scenario[] = [
  { point: 'GET is retried after 503', plan: first(refused(503)), holds: succeeds },
  { point: 'GET is retried after 429 without `Retry-After`', plan: first(refused(429)), holds: succeeds },
  {
    point: '`Retry-After: 2` of a 429 is waited for',
    plan: first(refused(429, { 'retry-after': '2' })),
    holds: succeedsAfter(1950),
  },
  {
    point: '`Retry-After: 2` of a 503 is waited for',
    plan: first(refused(503, { 'retry-after': '2' })),
    holds: succeedsAfter(1950),
  },
  {
    point: '`Retry-After` as a date, 4 s from now, is waited for',
    plan: (index) =>
      index === 0 ? refused(503, { 'retry-after': new Date(Date.now() + 4000).toUTCString() }) : undefined,
    holds: succeedsAfter(2950),
  },
  {
    point: '`Retry-After: 3600` fails immediately, with an error that contains 3600',
    plan: always(() => refused(429, { 'retry-after': '3600' })),
    holds: (seen) => asksOnce(seen) && seen.tookMs < 1000 && inspect(seen.error, { depth: 5 }).includes('3600'),
  },
  {
    point: 'GET is retried after a reset',
    plan: first({ kind: 'reset', done: false, afterBytes: 0 }),
    holds: succeeds,
  },
  {
    point: 'GET is retried after a reset inside the body',
    plan: first({ kind: 'reset', done: true, afterBytes: -9 }),
    holds: succeeds,
  },
  {
    point: 'GET is retried if the JSON is truncated',
    plan: first({ kind: 'short', done: true, bytes: 20 }),
    holds: succeeds,
  },
  {
    point: 'The time-out covers the body, and GET is retried',
    plan: first({ kind: 'stall', done: true, afterBytes: -9 }),
    holds: succeeds,
  },
  { point: 'GET is retried after a proxy’s page with 502', plan: first(page(502)), holds: succeeds },
  {
    point: 'A proxy’s page with 403 is an error with that status',
    plan: always(() => page(403)),
    holds: (seen) => asksOnce(seen) && statusOf(seen.error) === 403,
  },
  {
    point: 'POST after a lost response has the same key and body',
    call: 'create',
    plan: first({ kind: 'reset', done: true, afterBytes: 0 }),
    holds: sameTwice,
  },
  {
    point: 'No POST is sent again without a key',
    call: 'create',
    plan: first(refused(502)),
    holds: ({ requests }) =>
      requests.length === 1 || requests.every(({ headers }) => headers['idempotency-key'] !== undefined),
  },
  { point: 'Nothing is sent again after 422', call: 'create', plan: always(() => refused(422)), holds: asksOnce },
  { point: 'Nothing is sent again after 409', call: 'create', plan: always(() => refused(409)), holds: asksOnce },
  { point: 'Nothing is sent again after 500', plan: always(() => refused(500)), holds: asksOnce },
  {
    point: 'POST waits and is retried while its key is in flight',
    call: 'create',
    plan: first({
      kind: 'answer',
      answer: { status: 409, body: { error: 'In flight.', code: 'idempotency_key_in_flight' } },
    }),
    holds: succeeds,
  },
  {
    point: 'A redirect to another origin is not followed',
    plan: (_, elsewhere) => ({ kind: 'answer', answer: { status: 307, headers: { location: elsewhere } } }),
    holds: ({ requests }) => requests.every(({ path }) => path !== '/elsewhere'),
  },
  {
    point: 'Neither the client nor an error shows the credential when it is printed',
    plan: always(() => refused(403)),
    holds: (seen) => !shows(seen),
  },
  {
    point: 'Has an update that restarts on 412',
    call: 'update',
    plan: (index) => (index === 1 ? refused(412) : undefined),
    holds: succeeds,
  },
];

function statusOf(error: unknown) {
  const { status, statusCode } = (error ?? {}) as { status?: number; statusCode?: number };
  return status ?? statusCode;
}

export async function run({ plan, call = 'read', holds }: Scenario, adapt: (baseUrl: string) => Adapter) {
  const body = { id: 'item-1', object: 'item', name: 'Mug' };
  const server = await FaultServer.startInFrontOf({ handle: () => ({ status: 200, headers: { etag: '"1"' }, body }) });
  const elsewhere = await FaultServer.startInFrontOf({ handle: () => ({ status: 200, body }) });
  try {
    const adapter = adapt(server.baseUrl);
    const act = adapter[call];
    if (act === undefined) return false;
    const atMs: number[] = [];
    const startedMs = performance.now();
    server.setPlan((_, index) => {
      atMs.push(performance.now() - startedMs);
      return plan(index, `${elsewhere.baseUrl}/elsewhere`);
    });
    const error = await act().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const requests = [...server.requests, ...elsewhere.requests];
    return holds({ adapter, error, requests, atMs, tookMs: performance.now() - startedMs });
  } finally {
    await Promise.all([server.stop(), elsewhere.stop()]);
  }
}
