import { expectStatus, expectThat } from '../verdict.js';
import { idOf } from '../pages/walk.js';
import { fieldsOf, header } from '../service/exchange.js';
import { malformedJson, unknownItem } from './error-answers.js';
import { decided, type Drafts } from './specified.js';

const uuidV7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const foreign = 'https://foreign.example';

/** Requests with two faults, and the fault that must be reported (SPEC §1.3). */
const order: Drafts = {
  '1.order.path-before-credential': {
    sentence: 'Order of judgement: 404 path before 401.',
    needs: ['credential'],
    run: async ({ service }) => expectStatus(await service.get('/no-such-collection', { as: 'anonymous' }), 404),
  },
  '1.order.method-before-credential': {
    sentence: 'Order of judgement: 405 method before 401.',
    needs: ['credential'],
    run: async ({ service }) =>
      expectStatus(await service.send({ method: 'PATCH', path: '/items', as: 'anonymous', body: {} }), 405),
  },
  '1.order.credential-before-body': {
    sentence: 'Order of judgement: 401 before 400 of the body.',
    needs: ['credential'],
    run: async ({ service }) =>
      expectStatus(await service.send({ method: 'POST', path: '/items', as: 'anonymous', raw: malformedJson }), 401),
  },
  '1.order.permission-before-body': {
    sentence: 'Order of judgement: 403 before 400 of the body.',
    needs: ['read-only'],
    run: async ({ service }) =>
      expectStatus(await service.send({ method: 'POST', path: '/items', as: 'reader', raw: malformedJson }), 403),
  },
  '1.order.permission-before-id': {
    sentence: 'Order of judgement: 403 before 404 id: it never tells whether the id exists.',
    needs: ['read-only', 'items.write'],
    run: async (context) => {
      const path = await unknownItem(context);
      expectStatus(await context.service.send({ method: 'DELETE', path, as: 'reader' }), 403);
    },
  },
  '1.order.content-before-id': {
    sentence: 'Order of judgement: 422 before 404 id.',
    needs: ['items.write'],
    run: async (context) => {
      const path = await unknownItem(context);
      expectStatus(await context.service.send({ method: 'PUT', path, body: { name: '' } }), 422);
    },
  },
  '1.order.id-before-precondition': {
    sentence: 'Order of judgement: 404 id before 412.',
    needs: ['items.write'],
    run: async (context) => {
      const path = await unknownItem(context);
      expectStatus(await context.service.send({ method: 'DELETE', path, headers: { 'If-Match': '"other"' } }), 404);
    },
  },
};

export const decidedConventions = decided([], {
  '1.ids': {
    sentence: 'Ids are strings made by the service (UUIDv7).',
    needs: ['items.write'],
    run: async ({ items }) => {
      const { created } = await items.create();
      expectThat(uuidV7.test(idOf(created.json)), created, 'a UUIDv7');
    },
  },
  '1.unknown-form': {
    sentence: 'A path id that cannot be an id is simply unknown: 404, never 400 or 500.',
    run: async ({ service }) => {
      for (const id of ['no-such-item', '999999999', '00000000-0000-4000-8000-000000000000']) {
        expectStatus(await service.get(`/items/${id}`), 404);
      }
    },
  },
  '1.times': {
    sentence: 'Times are RFC 3339 UTC with milliseconds.',
    needs: ['items.write'],
    run: async ({ items }) => {
      const { created } = await items.create();
      const { created_at: at, updated_at: changed } = fieldsOf(created.json);
      expectThat(
        [at, changed].every((one) => typeof one === 'string' && time.test(one)),
        created,
        'such times',
      );
    },
  },
  '1.cors.off': {
    sentence: "CORS is off unless the origin stands in a key's `allowed_origins` or in `CORS_ORIGINS`.",
    run: async ({ service }) => {
      const answer = await service.get('/items', { headers: { Origin: foreign } });
      expectThat(header(answer, 'access-control-allow-origin') === undefined, answer, 'no Access-Control-Allow-Origin');
    },
  },
  '1.cors.preflight': {
    sentence: 'A preflight carries no credential and reveals nothing but what is configured.',
    run: async ({ service }) => {
      const headers = { Origin: foreign, 'Access-Control-Request-Method': 'POST' };
      const answer = await service.send({ method: 'OPTIONS', path: '/items', as: 'anonymous', headers });
      expectStatus(answer, 204);
      expectThat(header(answer, 'access-control-allow-origin') === undefined, answer, 'no Access-Control-Allow-Origin');
    },
  },
  '1.open.documents': {
    sentence: 'Everything needs credentials except `/health/live`, `/health/ready`, `/openapi.json`, `/docs` …',
    run: async ({ service }) => {
      for (const path of ['/health/live', '/health/ready', '/openapi.json', '/docs']) {
        expectStatus(await service.get(path, { as: 'anonymous' }), 200);
      }
    },
  },
  ...order,
});
