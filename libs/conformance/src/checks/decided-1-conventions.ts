import { type Check } from '../check.js';
import { expectStatus, expectThat } from '../verdict.js';
import { idOf } from '../pages/walk.js';
import { type CheckRequest, type Exchange, fieldOf, header } from '../service/exchange.js';
import { impossibleIds, malformedJson, ofUnknownItem } from './error-answers.js';
import { answers, decided, type Draft, ofItem } from './specified.js';

const uuidV7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const foreign = 'https://foreign.example';

const create = { method: 'POST', path: '/items', raw: malformedJson };
const patch = { method: 'PATCH', path: '/items', body: {} };
const as = 'anonymous';

function inOrder(status: number, before: string, request: CheckRequest | ReturnType<typeof ofUnknownItem>): Draft {
  return answers(status, `Order of validation: ${status} ${before}.`, request);
}

/** Requests with two faults, and the fault that must be reported (SPEC §1.3). */
const order: readonly Check[] = [
  ...decided(['credential'], {
    '1.order.path-before-credential': inOrder(404, 'of the path before 401', { path: '/no-such-collection', as }),
    '1.order.method-before-credential': inOrder(405, 'of the method before 401', { ...patch, as }),
    '1.order.credential-before-body': inOrder(401, 'before 400 of the body', { ...create, as }),
  }),
  ...decided(['read-only'], {
    '1.order.permission-before-body': inOrder(403, 'before 400 of the body', { ...create, as: 'reader' }),
  }),
  ...decided(['read-only', 'items.write'], {
    '1.order.permission-before-id': inOrder(
      403,
      'before 404 of the id, so that it does not reveal if the id exists',
      ofUnknownItem({ method: 'DELETE', as: 'reader' }),
    ),
  }),
  ...decided(['items.write'], {
    '1.order.content-before-id': inOrder(
      422,
      'before 404 of the id',
      ofUnknownItem({ method: 'PUT', body: { name: '' } }),
    ),
    '1.order.id-before-precondition': inOrder(
      404,
      'of the id before 412',
      ofUnknownItem({ method: 'DELETE', headers: { 'If-Match': '"other"' } }),
    ),
  }),
];

export const decidedConventions: readonly Check[] = [
  ...decided([], {
    '1.ids': ofItem('Ids are strings made by the service (UUIDv7).', async ({ created }) => {
      expectThat(uuidV7.test(idOf(created.json)), created, 'a UUIDv7');
    }),
    '1.unknown-form': answers(
      404,
      'A path id that cannot be an id is unknown: 404, never 400 or 500.',
      impossibleIds.map((id) => ({ path: `/items/${id}` })),
    ),
    '1.times': ofItem('Times are RFC 3339 UTC with milliseconds.', async ({ created }) => {
      const times = [fieldOf(created, 'created_at'), fieldOf(created, 'updated_at')];
      const isRight = times.every((one) => typeof one === 'string' && time.test(one));
      expectThat(isRight, created, 'RFC 3339 times with milliseconds and Z');
    }),
    '1.cors.off': {
      sentence: "CORS is off unless a key's `allowed_origins` or `CORS_ORIGINS` contains the origin.",
      run: async ({ service }) => allowsNoOrigin(await service.get('/items', { headers: { Origin: foreign } })),
    },
    '1.cors.preflight': {
      sentence: 'A preflight carries no credential and reveals only the configured origins.',
      run: async ({ service }) => {
        const headers = { Origin: foreign, 'Access-Control-Request-Method': 'POST' };
        const answer = await service.send({ method: 'OPTIONS', path: '/items', as, headers });
        expectStatus(answer, 204);
        allowsNoOrigin(answer);
      },
    },
    '1.open.documents': answers(
      200,
      'Everything needs credentials except `/health/live`, `/health/ready`, `/openapi.json`, `/docs` …',
      ['/health/live', '/health/ready', '/openapi.json', '/docs'].map((path) => ({ path, as })),
    ),
  }),
  ...order,
];

function allowsNoOrigin(answer: Exchange): void {
  expectThat(header(answer, 'access-control-allow-origin') === undefined, answer, 'no Access-Control-Allow-Origin');
}
