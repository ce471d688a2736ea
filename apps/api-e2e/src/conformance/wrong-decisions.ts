import { type ProxiedAnswer, type ProxiedRequest, type Step } from './wrong-step-proxy.js';

/** A service that takes one decision differently, and the checks that say so: ids, or how they begin. */
export interface WrongDecision {
  readonly what: string;
  readonly fails: readonly string[];
  readonly make: () => Step;
}

type Applies = (request: ProxiedRequest) => boolean;
const always: Applies = () => true;
const on =
  (method: string, path = /./): Applies =>
  (request) =>
    request.method === method && path.test(request.path);

/** Behind the service: its answers are changed. */
const answers =
  (
    change: (answer: ProxiedAnswer, request: ProxiedRequest) => Partial<ProxiedAnswer>,
    applies = always,
  ): (() => Step) =>
  () =>
  async (request, right) => {
    const answer = await right(request);
    return applies(request) ? { ...answer, ...change(answer, request) } : answer;
  };

/** Before the service: requests are changed. */
const requests =
  (change: (request: ProxiedRequest) => Partial<ProxiedRequest>): (() => Step) =>
  () =>
  (request, right) =>
    right({ ...request, ...change(request) });

const status = (from: number, to: number, applies = always, text?: string): (() => Step) =>
  answers((answer) => (answer.status === from ? { status: to, text: text ?? answer.text } : {}), applies);

const text = (change: (body: string) => string, applies = always): (() => Step) =>
  answers((answer) => ({ text: change(answer.text) }), applies);

type Body = Record<string, unknown>;
const json = (change: (body: Body) => Body, applies = always): (() => Step) =>
  answers(
    (answer) => (answer.text.startsWith('{') ? { text: JSON.stringify(change(JSON.parse(answer.text) as Body)) } : {}),
    applies,
  );

const instead =
  (applies: Applies, answer: ProxiedAnswer): (() => Step) =>
  () =>
  async (request, right) =>
    applies(request) ? answer : right(request);
const empty: ProxiedAnswer = { status: 204, headers: {}, text: '' };
const notFound: ProxiedAnswer = { status: 404, headers: {}, text: '{"error":"There is no such page."}' };

const house =
  /^(location|etag|allow|link|www-authenticate|cache-control|x-request-id|x-ratelimit-.*|ratelimit.*|retry-after|api-version|idempotent-replayed)$/;
const anonymous: Applies = ({ headers }) => headers['x-api-key'] === undefined && headers.authorization === undefined;
const malformed: Applies = ({ body }) => body.toString().endsWith('half a body');
const list = /^\/items(\?|$)/;
const item = /^\/items\/./;

const wrong = (what: string, fails: readonly string[], make: () => Step): WrongDecision => ({ what, fails, make });

export const wrongDecisions: readonly WrongDecision[] = [
  wrong(
    'takes what is invalid',
    ['2.refused.', '2.unknown.named', '1.order.content-before-id', '4.idempotency.other-body', '4.idempotency.refused'],
    status(422, 201, always, '{}'),
  ),
  wrong(
    'orders what has no price, and details nothing',
    ['3.order.unpriced', '7.details'],
    status(422, 201, always, '{}'),
  ),
  wrong(
    'lets every query pass',
    [
      '4.query.',
      '4.cursor.changed-byte',
      '4.cursor.other-sort',
      '4.cursor.other-filter',
      '7.encoding',
      '9.version.unknown',
    ],
    status(400, 200, on('GET'), '{}'),
  ),
  wrong('takes credentials from anywhere', ['5.url.refused', '5.one-credential'], status(400, 200, on('GET'), '{}')),
  wrong(
    'has no headers of its own',
    [
      '4.create.location',
      '4.etag.strong',
      '4.cache-control',
      '4.options',
      '4.method.allow',
      '4.list.link',
      '4.list.link-cursor',
      '4.idempotency.replayed',
      '5.challenges',
      '5.invalid-token',
      '5.scope.named',
      '5.login.no-store',
      '5.keys.quota',
      '7.request-id',
      '8.headers.always',
      '8.headers.reset-seconds',
      '8.headers.draft',
      '8.headers.remaining-counts',
      '9.version.echoed',
    ],
    answers(({ headers }) => ({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !house.test(name))),
    })),
  ),
  wrong(
    'looks at no conditions and no keys',
    [
      '4.if-none-match',
      '4.if-match.',
      '4.idempotency.replayed',
      '4.idempotency.other-body',
      '4.idempotency.form',
      '5.keys.not-replayed',
    ],
    requests(({ headers: { 'if-match': _, 'if-none-match': __, 'idempotency-key': ___, ...headers } }) => ({
      headers,
    })),
  ),
  wrong(
    'tags everything alike',
    ['4.etag.changes'],
    answers(({ headers }) => ({ headers: { ...headers, etag: '"1"' } })),
  ),
  wrong(
    'judges the credential first',
    ['1.order.path-before-credential', '1.order.method-before-credential'],
    answers(({ status: came }) => (came >= 400 ? { status: 401 } : {}), anonymous),
  ),
  wrong(
    'judges the body first',
    ['1.order.credential-before-body', '1.order.permission-before-body'],
    answers(({ status: came }) => (came >= 400 ? { status: 400 } : {}), malformed),
  ),
  wrong('looks for the id first', ['1.order.permission-before-id'], status(403, 404, on('DELETE'))),
  wrong(
    'judges conditions first',
    ['1.order.id-before-precondition'],
    status(404, 412, ({ headers }) => 'if-match' in headers),
  ),
  wrong(
    'lets every origin in',
    ['1.cors.off', '1.cors.preflight'],
    answers(({ headers }) => ({ headers: { ...headers, 'access-control-allow-origin': '*' } })),
  ),
  wrong('hides its documents', ['1.open.documents'], instead(on('GET', /^\/openapi/), { ...notFound, status: 401 })),
  wrong(
    'makes ids of another kind',
    ['1.ids'],
    text((body) => body.replaceAll(/-7([\da-f]{3}-[89ab])/g, '-4$1'), on('POST', list)),
  ),
  wrong('takes an id of another form for malformed', ['1.unknown-form'], status(404, 400, on('GET', item))),
  wrong(
    'tells times by the second',
    ['1.times'],
    text((body) => body.replaceAll(/\.\d{3}Z/g, 'Z')),
  ),
  wrong(
    'has no description',
    ['2.item.fields'],
    json(({ description: _, ...body }) => body, on('GET', item)),
  ),
  wrong(
    'shows other values than it took',
    ['2.kept.'],
    json(
      ({ name, price, description: _, color: __, ...body }) => ({
        ...body,
        name: `${String(name)} `,
        price: price === null ? 0 : Math.fround(Number(price)),
      }),
      on('GET', item),
    ),
  ),
  wrong(
    'refuses fields that it has shown',
    ['2.read-only.ignored'],
    () => async (request, right) =>
      request.body.includes('created_at') ? { ...notFound, status: 422 } : right(request),
  ),
  wrong('takes any bytes for text', ['2.utf8'], status(400, 201, on('POST'), '{}')),
  wrong(
    'has a larger page where none is asked for',
    ['4.list.default-style'],
    json((body) => ({ ...body, per_page: 50 })),
  ),
  wrong(
    'serves larger pages than it may',
    ['4.list.maximum'],
    json((body) => ({ ...body, per_page: 101 })),
  ),
  wrong('answers a page past the end with 404', ['4.list.past-the-end'], instead(on('GET', /page=9$/), notFound)),
  wrong(
    'counts one too many',
    ['4.list.total'],
    json(({ total, ...body }) => ({ ...body, total: Number(total) + 1 })),
  ),
  wrong(
    'tags lists',
    ['4.list.no-etag'],
    answers(({ headers }) => ({ headers: { ...headers, etag: '"1"' } })),
  ),
  wrong(
    'sorts nothing',
    ['4.sort.ascending', '4.sort.descending', '4.sort.several'],
    requests(({ path }) => ({ path: path.replace(/[?&]sort=[^&]*/, '') })),
  ),
  wrong(
    'lists the newest first',
    ['4.sort.default'],
    json(({ items, ...body }) => (Array.isArray(items) ? { items: items.reverse(), ...body } : body), on('GET', list)),
  ),
  wrong(
    'looks at the first colour only',
    ['4.filter.either'],
    requests(({ path }) => ({ path: path.replace(/,[^&]*/, '') })),
  ),
  wrong(
    'keeps the limit of the first page',
    ['4.cursor.other-limit'],
    requests(({ path }) => ({
      path: path.includes('cursor=') ? path.replace('limit=2', 'limit=1') : path,
    })),
  ),
  wrong(
    'walks over the values of now',
    ['4.cursor.first-values'],
    text((body) => body.replaceAll(/"price":[\d.]+/g, '"price":1'), on('GET', /cursor=/)),
  ),
  wrong('knows no HEAD', ['4.head'], instead(on('HEAD'), notFound)),
  wrong('falls over large bodies', ['4.body.large'], status(413, 500)),
  wrong('takes any type for malformed', ['4.body.type'], status(415, 400)),
  wrong(
    'begins orders in another state',
    ['3.order.pending'],
    text((body) => body.replace('"pending"', '"new"')),
  ),
  wrong(
    'follows prices in old orders',
    ['3.order.captured'],
    text((body) => body.replaceAll('12.5', '99'), on('GET', /orders/)),
  ),
  wrong(
    'answers transitions and rotations with 200',
    ['3.transition.made', '3.transition.owner', '3.transition.staff', '5.keys.rotated', '5.keys.grace'],
    status(201, 200, on('POST', /\/(transitions|rotations)$/)),
  ),
  wrong(
    'lists no transitions',
    ['3.transition.listed'],
    text((body) => body.replace(/\[.*\]/, '[]'), on('GET', /transitions/)),
  ),
  wrong(
    'answers conflicts with 400',
    ['3.transition.illegal', '5.users.duplicate', '5.keys.not-replayed'],
    status(409, 400),
  ),
  wrong(
    'hides what is forbidden',
    [
      '3.transition.staff',
      '3.orders.of-others',
      '3.orders.everybody',
      '5.keys.scopes',
      '5.keys.never-more',
      '5.roles.viewer',
      '5.roles.member',
      '5.users.others',
    ],
    status(403, 404),
  ),
  wrong('does not know POST on all orders', ['3.orders.read-only'], status(405, 404)),
  wrong(
    'gives no refresh token',
    ['5.login.answer'],
    json(({ refresh_token: _, ...body }) => body),
  ),
  wrong(
    'tells who is unknown',
    ['5.login.same-answer'],
    () => async (request, right) =>
      request.body.includes('"unknown-') ? { ...notFound, status: 401 } : right(request),
  ),
  wrong('ends no session', ['5.session.ended'], instead(on('DELETE', /^\/sessions/), empty)),
  wrong('refreshes twice', ['5.session.refreshed'], status(400, 200, on('POST', /oauth/))),
  wrong(
    'knows no Basic',
    ['5.basic'],
    () => async (request, right) =>
      request.headers.authorization?.startsWith('Basic') ? { ...notFound, status: 401 } : right(request),
  ),
  wrong('knows no me', ['5.users.me'], instead(on('GET', /^\/users\/me/), notFound)),
  wrong(
    'shows passwords',
    ['5.users.no-password'],
    json((body) => ({ ...body, password: '' }), on('GET', /^\/users\//)),
  ),
  wrong(
    'makes keys of another form',
    ['5.keys.form'],
    text((body) => body.replace('"itk_', '"key_')),
  ),
  wrong('shows a key again', ['5.keys.shown-once'], () => {
    let shown = '';
    return async (request, right) => {
      const answer = await right(request);
      if (on('POST', /^\/api-keys$/)(request)) shown = answer.text;
      return on('GET', /^\/api-keys\//)(request) ? { ...answer, text: shown } : answer;
    };
  }),
  wrong('ends no key', ['5.keys.deleted'], instead(on('DELETE', /^\/api-keys/), empty)),
  wrong(
    'has no codes',
    ['7.code'],
    json(({ code: _, ...body }) => body),
  ),
];
