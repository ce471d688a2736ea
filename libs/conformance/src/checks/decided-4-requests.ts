import { expectStatus, expectThat, Unmet } from '../verdict.js';
import { assignedId } from '../service/created.js';
import { type CheckRequest, type Exchange, header, post } from '../service/exchange.js';
import { etagOf } from './http.js';
import { answers, decided, type Draft, ofItem } from './specified.js';

const create = { method: 'POST', path: '/items' };

export const decidedRequests = decided(['items.write'], {
  '4.create.location': ofItem('A response to POST has `Location`.', async ({ created, id }, { service }) => {
    const location = header(created, 'location') ?? '';
    expectThat(location.endsWith(`/items/${id}`), created, `Location: /items/${id}`, `Location: ${location}`);
    expectStatus(await service.get(`/items/${location.split('/').at(-1) ?? ''}`), 200);
  }),
  '4.etag.strong': ofItem('Responses to GET and PUT have a strong `ETag`.', async (item, { items, service }) => {
    for (const answer of [await service.get(item.path), await items.replace(item)]) {
      const etag = header(answer, 'etag') ?? '';
      expectThat(/^"[^"]+"$/.test(etag), answer, 'a strong ETag', `ETag: ${etag}`);
    }
  }),
  '4.etag.changes': ofItem(
    'A strong `ETag` changes with the item, and only with it.',
    async (item, { items, service }) => {
      const tag = await etagOf(service, item.path);
      const again = await service.get(item.path);
      expectThat(header(again, 'etag') === tag, again, `ETag: ${tag}`);
      await items.replace(item);
      const changed = await service.get(item.path);
      expectThat(header(changed, 'etag') !== tag, changed, `another ETag than ${tag}`);
    },
  ),
  '4.if-none-match': ofItem('`If-None-Match` → 304.', async ({ path }, { service }) => {
    const answer = await service.get(path, { headers: { 'If-None-Match': await etagOf(service, path) } });
    expectStatus(answer, 304);
    expectThat(answer.text === '', answer, '304 with an empty body');
  }),
  '4.if-match.put': honoursIfMatch('PUT'),
  '4.if-match.delete': honoursIfMatch('DELETE'),
  '4.if-match.race': ofItem(
    '`If-Match` → 412, even if 64 writers race: one succeeds.',
    async ({ path }, { items, service }) => {
      const headers = { 'If-Match': await etagOf(service, path) };
      const write = (): Promise<Exchange> => service.send({ method: 'PUT', path, body: items.content(), headers });
      const answers = await Promise.all(Array.from({ length: 64 }, write));
      const won = answers.filter(({ status }) => status === 200);
      const [first] = answers;
      if (first && won.length !== 1) throw new Unmet(first, 'one 200 and 63 times 412', `${won.length} times 200`);
      for (const answer of answers) expectStatus(answer, 200, 412);
    },
  ),
  '4.cache-control': ofItem('`Cache-Control: private, no-cache`.', async ({ path }, { service }) => {
    const shown = await service.get(path);
    const directives = header(shown, 'cache-control') ?? '';
    const isRight = directives.includes('private') && directives.includes('no-cache');
    expectThat(isRight, shown, 'private, no-cache', directives);
  }),
  '4.idempotency.replayed': {
    sentence: '`Idempotency-Key`: a repeat returns the first response with `Idempotent-Replayed: true`.',
    run: async ({ items, service, word }) => {
      const request = idempotent(word('key'), items.content());
      const first = await service.send(request);
      const again = await service.send(request);
      expectThat(assignedId(again) === assignedId(first), again, `the first response, id ${assignedId(first) ?? ''}`);
      expectStatus(again, 201);
      expectThat(header(again, 'idempotent-replayed') === 'true', again, 'Idempotent-Replayed: true');
      expectThat(again.text === first.text, again, 'exactly the first response');
    },
  },
  '4.idempotency.other-body': {
    sentence: '`Idempotency-Key`: another body with the same key is 422.',
    run: async ({ items, service, word }) => {
      const key = word('key');
      await service.send(idempotent(key, items.content()));
      expectStatus(await service.send(idempotent(key, items.content())), 422);
    },
  },
  '4.idempotency.refused': {
    sentence: '`Idempotency-Key`: a refused request does not use up its key.',
    run: async ({ items, service, word }) => {
      const key = word('key');
      expectStatus(await service.send(idempotent(key, { name: '' })), 422);
      expectStatus(await service.send(idempotent(key, items.content())), 201);
    },
  },
  '4.idempotency.form': answers(400, '`Idempotency-Key` on POST: 1–255 visible ASCII characters.', ({ items }) =>
    idempotent('x'.repeat(256), items.content()),
  ),
  '4.head': ofItem('HEAD works wherever GET works.', async (item, { service }) => {
    for (const path of ['/items', item.path]) {
      const answer = await service.send({ method: 'HEAD', path });
      expectStatus(answer, 200);
      expectThat(answer.text === '', answer, '200 without a body');
    }
  }),
  '4.options': ofItem('OPTIONS returns 204 with `Allow`.', async (item, { service }) => {
    const methodsOf = { '/items': ['GET', 'POST'], [item.path]: ['GET', 'PUT', 'DELETE'] };
    for (const [path, methods] of Object.entries(methodsOf)) {
      const answer = await service.send({ method: 'OPTIONS', path, as: 'anonymous' });
      expectStatus(answer, 204);
      const allow = (header(answer, 'allow') ?? '').split(/, */);
      const isWhole = methods.every((one) => allow.includes(one));
      expectThat(isWhole, answer, `Allow: ${methods.join(', ')}`, `Allow: ${allow.join()}`);
    }
  }),
  '4.method.allow': {
    sentence: '405 carries `Allow`.',
    needs: [],
    run: async ({ service }) => {
      const answer = await service.send({ method: 'PATCH', path: '/items', body: {} });
      const allow = header(answer, 'allow') ?? '';
      expectThat(allow.includes('GET') && allow.includes('POST'), answer, 'Allow: GET, POST …', `Allow: ${allow}`);
    },
  },
  '4.body.large': answers(413, 'Bodies have at most 1 MiB: a larger body is 413.', () => ({
    ...create,
    raw: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }),
  })),
  '4.body.type': answers(415, 'Another content type than JSON: 415.', ({ items }) => ({
    ...create,
    raw: JSON.stringify(items.content()),
    headers: { 'Content-Type': 'text/plain' },
  })),
});

function honoursIfMatch(method: 'PUT' | 'DELETE'): Draft {
  return ofItem(`PUT and DELETE honour \`If-Match\` → 412 (${method}).`, async ({ path }, { items, service }) => {
    const body = method === 'PUT' ? { body: items.content() } : {};
    expectStatus(await service.send({ method, path, ...body, headers: { 'If-Match': '"other"' } }), 412);
    const right = { 'If-Match': await etagOf(service, path) };
    expectStatus(await service.send({ method, path, ...body, headers: right }), method === 'PUT' ? 200 : 204);
  });
}

function idempotent(key: string, body: unknown): CheckRequest {
  return post('/items', body, { headers: { 'Idempotency-Key': key } });
}
