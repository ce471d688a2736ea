import { inspect } from 'node:util';

import { FaultServer } from '@items/testing';

/**
 * @typedef {import('@items/testing').Fault} Fault
 * @typedef {import('@items/testing').FaultPlan} FaultPlan
 * @typedef {import('./adapters.js').Adapter} Adapter
 *
 * @typedef {object} Seen the effects of one call.
 * @property {Adapter} adapter
 * @property {unknown} error undefined after a success.
 * @property {import('@items/testing').ReceivedRequest[]} requests
 * @property {number[]} atMs arrival time of each request, since the call.
 * @property {number} tookMs
 *
 * @typedef {object} Scenario
 * @property {string} point expected behaviour: a row of the table.
 * @property {Plan} plan
 * @property {'read' | 'create' | 'update'} [call] default `read`.
 * @property {(seen: Seen) => boolean} holds
 *
 * @typedef {(index: number, elsewhere: string) => Fault | undefined} Plan
 */

/** @returns {Fault} @param {number} status @param {Record<string, string>} [headers] */
const refused = (status, headers = {}) => ({
  kind: 'answer',
  answer: { status, headers, body: { error: 'A sentence.', code: 'a_code' } },
});
/** @returns {Fault} @param {number} status @param {Record<string, string>} [headers] */
const page = (status, headers = {}) => ({
  kind: 'answer',
  answer: { status, headers: { 'content-type': 'text/html', ...headers }, body: '<html>Not the service</html>' },
});
/** @returns {Plan} @param {Fault} fault */
const first = (fault) => (index) => (index === 0 ? fault : undefined);
/** @returns {Plan} @param {() => Fault} fault */
const always = (fault) => () => fault();

/** @param {Seen} seen */
const succeeds = ({ error }) => error === undefined;
/** @param {Seen} seen */
const asksOnce = ({ requests, error }) => error !== undefined && requests.length === 1;
/** @param {number} ms @returns {(seen: Seen) => boolean} */
const succeedsAfter = (ms) => (seen) => succeeds(seen) && (seen.atMs[1] ?? 0) - (seen.atMs[0] ?? 0) >= ms;
/** @param {Seen} seen */
const shows = ({ error, adapter }) => inspect([error, adapter.client], { depth: 20 }).includes(adapter.secret);
/** @param {Seen} seen */
const sameTwice = ({ requests: [one, other], error }) =>
  error === undefined &&
  one?.headers['idempotency-key'] !== undefined &&
  one.headers['idempotency-key'] === other?.headers['idempotency-key'] &&
  one.body === other?.body;

/** Client behaviour that §8 requires, and behaviour that must not happen. @type {readonly Scenario[]} */
export const scenarios = [
  { point: 'GET is asked again after 503', plan: first(refused(503)), holds: succeeds },
  { point: 'GET is asked again after 429 without `Retry-After`', plan: first(refused(429)), holds: succeeds },
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
    point: '`Retry-After: 3600` fails at once, with an error that says 3600',
    plan: always(() => refused(429, { 'retry-after': '3600' })),
    holds: (seen) => asksOnce(seen) && seen.tookMs < 1000 && inspect(seen.error, { depth: 5 }).includes('3600'),
  },
  {
    point: 'GET is asked again after a reset',
    plan: first({ kind: 'reset', done: false, afterBytes: 0 }),
    holds: succeeds,
  },
  {
    point: 'GET is asked again after a reset inside the body',
    plan: first({ kind: 'reset', done: true, afterBytes: -9 }),
    holds: succeeds,
  },
  {
    point: 'GET is asked again where the JSON is cut',
    plan: first({ kind: 'short', done: true, bytes: 20 }),
    holds: succeeds,
  },
  {
    point: 'The time-out covers the body, and GET is asked again',
    plan: first({ kind: 'stall', done: true, afterBytes: -9 }),
    holds: succeeds,
  },
  { point: 'GET is asked again after a proxy’s page with 502', plan: first(page(502)), holds: succeeds },
  {
    point: 'A proxy’s page with 403 is an error with that status',
    plan: always(() => page(403)),
    holds: (seen) => asksOnce(seen) && [403].includes(statusOf(seen.error)),
  },
  {
    point: 'POST after a lost answer has the same key and body',
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
    point: 'POST waits and asks again while its key is in flight',
    call: 'create',
    plan: first({
      kind: 'answer',
      answer: { status: 409, body: { error: 'In flight.', code: 'idempotency_key_in_flight' } },
    }),
    holds: succeeds,
  },
  {
    point: 'A redirect to another origin takes no request there',
    plan: (_, elsewhere) => ({ kind: 'answer', answer: { status: 307, headers: { location: elsewhere } } }),
    holds: ({ requests }) => requests.every(({ path }) => path !== '/elsewhere'),
  },
  {
    point: 'Neither the client nor an error shows the credential when it is printed',
    plan: always(() => refused(403)),
    holds: (seen) => !shows(seen),
  },
  {
    point: 'Has an update that begins anew on 412',
    call: 'update',
    plan: (index) => (index === 1 ? refused(412) : undefined),
    holds: succeeds,
  },
];

/** @returns {number} @param {any} error */
function statusOf(error) {
  return error?.status ?? error?.statusCode;
}

/** Runs a scenario with a new client. @param {Scenario} scenario @param {(baseUrl: string) => Adapter} adapt */
export async function run({ plan, call = 'read', holds }, adapt) {
  const body = { id: 'item-1', object: 'item', name: 'Mug' };
  const server = await FaultServer.before({ handle: () => ({ status: 200, headers: { etag: '"1"' }, body }) });
  const elsewhere = await FaultServer.before({ handle: () => ({ status: 200, body }) });
  try {
    const adapter = adapt(server.baseUrl);
    const act = adapter[call];
    if (act === undefined) return false;
    /** @type {number[]} */
    const atMs = [];
    const startedMs = performance.now();
    server.follow((_, index) => {
      atMs.push(performance.now() - startedMs);
      return plan(index, `${elsewhere.baseUrl}/elsewhere`);
    });
    const error = await act().then(
      () => undefined,
      (/** @type {unknown} */ thrown) => thrown,
    );
    const requests = [...server.requests, ...elsewhere.requests];
    return holds({ adapter, error, requests, atMs, tookMs: performance.now() - startedMs });
  } finally {
    await Promise.all([server.stop(), elsewhere.stop()]);
  }
}
