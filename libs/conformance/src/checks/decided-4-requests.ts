import { expectStatus, expectThat, NotApplicable, unmet } from '../verdict.js';
import { assignedId } from '../service/created.js';
import { header } from '../service/exchange.js';
import { type CheckContext } from '../context.js';
import { decided, type Draft } from './specified.js';

export const decidedRequests = decided(['items.write'], {
  '4.create.location': {
    sentence: 'POST answers `Location`.',
    run: async ({ items, service }) => {
      const { created, id } = await items.create();
      const location = header(created, 'location') ?? '';
      const leads = location.endsWith(`/items/${id}`);
      expectThat(leads, created, `Location: /items/${id}`, `Location: ${location}`);
      const path = `/items/${location.split('/').at(-1) ?? ''}`;
      expectStatus(await service.get(path), 200);
    },
  },
  '4.etag.strong': {
    sentence: 'GET, PUT answer a strong `ETag`.',
    run: async ({ items, service }) => {
      const item = await items.create();
      for (const answer of [await service.get(item.path), await items.replace(item)]) {
        const etag = header(answer, 'etag') ?? '';
        expectThat(/^"[^"]+"$/.test(etag), answer, 'a strong ETag', `ETag: ${etag}`);
      }
    },
  },
  '4.etag.changes': {
    sentence: 'A strong `ETag` changes with the item, and only with it.',
    run: async ({ items, service }) => {
      const item = await items.create();
      const tag = await etagOf(item.path, { service });
      const again = await service.get(item.path);
      expectThat(header(again, 'etag') === tag, again, `ETag: ${tag}`);
      await items.replace(item);
      const changed = await service.get(item.path);
      expectThat(header(changed, 'etag') !== tag, changed, `another ETag than ${tag}`);
    },
  },
  '4.if-none-match': {
    sentence: '`If-None-Match` → 304.',
    run: async ({ items, service }) => {
      const { path } = await items.create();
      const answer = await service.get(path, { headers: { 'If-None-Match': await etagOf(path, { service }) } });
      expectStatus(answer, 304);
      expectThat(answer.text === '', answer, '304 with an empty body');
    },
  },
  '4.if-match.put': honoursIfMatch('PUT'),
  '4.if-match.delete': honoursIfMatch('DELETE'),
  '4.if-match.race': {
    sentence: '`If-Match` → 412, also when 64 writers race.',
    run: async ({ items, service }) => {
      const { path } = await items.create();
      const headers = { 'If-Match': await etagOf(path, { service }) };
      const writers = Array.from({ length: 64 }, () =>
        service.send({ method: 'PUT', path, body: items.content(), headers }),
      );
      const answers = await Promise.all(writers);
      const won = answers.filter(({ status }) => status === 200);
      const [first] = answers;
      if (first && won.length !== 1) throw unmet(first, 'one 200 and 63 times 412', `${won.length} times 200`);
      for (const answer of answers) expectStatus(answer, 200, 412);
    },
  },
  '4.cache-control': {
    sentence: '`Cache-Control: private, no-cache`.',
    run: async ({ items, service }) => {
      const shown = await service.get((await items.create()).path);
      const directives = header(shown, 'cache-control') ?? '';
      expectThat(
        directives.includes('private') && directives.includes('no-cache'),
        shown,
        'private, no-cache',
        directives,
      );
    },
  },
  '4.idempotency.replayed': {
    sentence: '`Idempotency-Key`: a repeat returns the first answer with `Idempotent-Replayed: true`.',
    run: async ({ items, service, word }) => {
      const ask = idempotent(word('key'), items.content());
      const first = await service.send(ask);
      const again = await service.send(ask);
      expectThat(assignedId(again) === assignedId(first), again, `the first answer, id ${assignedId(first) ?? ''}`);
      expectStatus(again, 201);
      expectThat(header(again, 'idempotent-replayed') === 'true', again, 'Idempotent-Replayed: true');
      expectThat(again.text === first.text, again, 'the first answer, to the letter');
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
    sentence: '`Idempotency-Key`: a refused request leaves none.',
    run: async ({ items, service, word }) => {
      const key = word('key');
      expectStatus(await service.send(idempotent(key, { name: '' })), 422);
      expectStatus(await service.send(idempotent(key, items.content())), 201);
    },
  },
  '4.idempotency.form': {
    sentence: '`Idempotency-Key` on POST: 1–255 visible ASCII characters.',
    run: async ({ items, service }) =>
      expectStatus(await service.send(idempotent('x'.repeat(256), items.content())), 400),
  },
  '4.head': {
    sentence: 'HEAD wherever GET.',
    run: async ({ items, service }) => {
      for (const path of ['/items', (await items.create()).path]) {
        const answer = await service.send({ method: 'HEAD', path });
        expectStatus(answer, 200);
        expectThat(answer.text === '', answer, '200 without a body');
      }
    },
  },
  '4.options': {
    sentence: 'OPTIONS 204 with `Allow`.',
    run: async ({ items, service }) => {
      for (const [path, methods] of [
        ['/items', ['GET', 'POST']],
        [(await items.create()).path, ['GET', 'PUT', 'DELETE']],
      ] as const) {
        const answer = await service.send({ method: 'OPTIONS', path, as: 'anonymous' });
        expectStatus(answer, 204);
        const allow = (header(answer, 'allow') ?? '').split(/, */);
        expectThat(
          methods.every((one) => allow.includes(one)),
          answer,
          `Allow: ${methods.join(', ')}`,
          `Allow: ${allow.join()}`,
        );
      }
    },
  },
  '4.method.allow': {
    sentence: '405 carries `Allow`.',
    needs: [],
    run: async ({ service }) => {
      const answer = await service.send({ method: 'PATCH', path: '/items', body: {} });
      const allow = header(answer, 'allow') ?? '';
      expectThat(allow.includes('GET') && allow.includes('POST'), answer, 'Allow: GET, POST …', `Allow: ${allow}`);
    },
  },
  '4.body.large': {
    sentence: 'Bodies up to 1 MiB, else 413.',
    run: async ({ service }) => {
      const raw = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
      expectStatus(await service.send({ method: 'POST', path: '/items', raw }), 413);
    },
  },
  '4.body.type': {
    sentence: 'Another content type than JSON: 415.',
    run: async ({ service, items }) => {
      const headers = { 'Content-Type': 'text/plain' };
      const raw = JSON.stringify(items.content());
      expectStatus(await service.send({ method: 'POST', path: '/items', raw, headers }), 415);
    },
  },
});

function honoursIfMatch(method: 'PUT' | 'DELETE'): Draft {
  return {
    sentence: `PUT and DELETE honour \`If-Match\` → 412 (${method}).`,
    run: async ({ items, service }) => {
      const { path } = await items.create();
      const body = method === 'PUT' ? { body: items.content() } : {};
      expectStatus(await service.send({ method, path, ...body, headers: { 'If-Match': '"other"' } }), 412);
      const right = { 'If-Match': await etagOf(path, { service }) };
      expectStatus(await service.send({ method, path, ...body, headers: right }), method === 'PUT' ? 200 : 204);
    },
  };
}

function idempotent(key: string, body: unknown) {
  return { method: 'POST', path: '/items', body, headers: { 'Idempotency-Key': key } };
}

async function etagOf(path: string, { service }: Pick<CheckContext, 'service'>): Promise<string> {
  const etag = header(await service.get(path), 'etag');
  if (etag === undefined) throw new NotApplicable('an item has no ETag');
  return etag;
}
