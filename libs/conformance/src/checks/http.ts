import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { idOf } from '../pages/walk.js';
import { type CheckRequest, type Exchange, header, post } from '../service/exchange.js';
import { type Service } from '../service/service.js';
import { answers, type Draft, ofHttp, ofItem } from './specified.js';

export const http = ofHttp(['items.write'], {
  'http.405.allow': {
    sentence: 'A 405 carries `Allow`, with the methods that the resource has (RFC 9110 §15.5.6, §10.2.1).',
    needs: [],
    run: async ({ service }) => {
      const answer = await service.send({ method: 'PATCH', path: '/items', body: {} });
      if (answer.status !== 405) throw new NotApplicable('no method is answered by 405');
      const allow = header(answer, 'allow');
      const methods = (allow ?? '').split(',').map((method) => method.trim());
      const actual = allow === undefined ? 'no Allow' : `Allow: ${allow}`;
      expectThat(methods.includes('GET') && !methods.includes('PATCH'), answer, 'Allow: GET, …, without PATCH', actual);
    },
  },
  'http.401.challenge': {
    sentence: 'A 401 carries `WWW-Authenticate` with a challenge (RFC 9110 §11.6.1, RFC 6750 §3).',
    needs: ['credential'],
    run: async ({ service }) => {
      for (const as of ['anonymous', 'impostor'] as const) {
        const answer = await service.get('/items', { as });
        if (answer.status !== 401) continue;
        const challenge = header(answer, 'www-authenticate');
        const holds = /^[!#$%&'*+.^`|~\w-]+/.test(challenge ?? '');
        expectThat(holds, answer, 'WWW-Authenticate: <scheme> …', `WWW-Authenticate: ${challenge ?? 'none'}`);
      }
    },
  },
  'http.201.location': ofItem(
    'A 201 has the address of the new resource in `Location` (RFC 9110 §15.3.2).',
    async ({ created, id }, { service }) => {
      if (created.status !== 201) throw new NotApplicable('creating does not answer 201');
      const location = header(created, 'location');
      expectThat(location !== undefined, created, 'Location: the address of the new resource', 'no Location');
      const target = new URL(location ?? '', service.urlOf({ path: '/items' }));
      const address = service.urlOf({ path: `/items/${encodeURIComponent(id)}` });
      if (target.href === address) return;
      // `Location` may be another address of the resource on this service.
      const isOwn = target.href.startsWith(service.baseUrl);
      const shown = isOwn ? await service.get(target.href.slice(service.baseUrl.length)) : created;
      const leads = isOwn && shown.status === 200 && idOf(shown.json) === id;
      expectThat(leads, created, `Location: ${address}`, `Location: ${location ?? ''}`);
    },
  ),
  'http.head': ofItem(
    'HEAD returns the status and headers of GET, without a body (RFC 9110 §9.1, §9.3.2).',
    async (item, { service }) => {
      for (const path of [item.path, '/items/no-such-item']) {
        const get = await service.get(path);
        const head = await service.send({ method: 'HEAD', path });
        expectStatus(head, get.status);
        expectThat(head.text === '', head, 'no body');
        for (const name of ['content-type', 'etag', 'content-length']) expectSameHeader(head, get, name);
      }
      expectStatus(await service.send({ method: 'HEAD', path: '/items' }), 200);
    },
  ),
  'http.415': answers(
    415,
    'A body in an unsupported format returns 415 (RFC 9110 §15.5.16).',
    ({ items, service }) => ({
      ...{ method: 'POST', path: '/items', headers: { 'Content-Type': 'text/plain' } },
      raw: JSON.stringify(service.translation.request(post('/items', items.content())).body),
    }),
  ),
  'http.etag.strong': ofItem(
    'An `ETag`, if there is any, is strong, so that `If-Match` can compare it (RFC 9110 §8.8.3, §13.1.1).',
    async ({ path }, { service }) => {
      const shown = await taggedItem(service, path);
      const etag = header(shown, 'etag') ?? '';
      expectThat(/^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag), shown, 'ETag: "…"', `ETag: ${etag}`);
    },
  ),
  'http.etag.changes': ofItem(
    'An `ETag`, if there is any, changes if the item changes, and only then (RFC 9110 §8.8.1).',
    async ({ path }, { items, service }) => {
      const first = await etagOf(service, path);
      const again = await service.get(path);
      expectThat(header(again, 'etag') === first, again, `ETag: ${first}`, `ETag: ${header(again, 'etag') ?? 'none'}`);
      if ((await items.replace({ path })).status >= 300) throw new NotApplicable('a replacement is refused');
      const changed = await service.get(path);
      expectThat(header(changed, 'etag') !== first, changed, `another ETag than ${first}`, `ETag: ${first}`);
    },
  ),
  'http.if-match.put': honoursIfMatch('PUT'),
  'http.if-match.delete': honoursIfMatch('DELETE'),
});

async function taggedItem(service: Service, path: string): Promise<Exchange> {
  const shown = await service.get(path);
  if (header(shown, 'etag') === undefined) throw new NotApplicable('an item has no ETag');
  return shown;
}

/** @throws {NotApplicable} The item has no ETag. */
export async function etagOf(service: Service, path: string): Promise<string> {
  return header(await taggedItem(service, path), 'etag') ?? '';
}

/** HEAD may omit `content-length`. Other headers must equal those of GET. */
function expectSameHeader(head: Exchange, get: Exchange, name: string): void {
  const [one, other] = [header(head, name), header(get, name)];
  if (one === undefined && name === 'content-length') return;
  expectThat(one === other, head, `${name}: ${other ?? 'none'}`, `${name}: ${one ?? 'none'}`);
}

function honoursIfMatch(method: 'PUT' | 'DELETE'): Draft {
  return ofItem(
    `\`If-Match\` is checked before the write, if there are ETags: ${method} (RFC 9110 §13.1.1).`,
    async ({ path }, { items, service }) => {
      const etag = await etagOf(service, path);
      const ask = (condition: string): CheckRequest => ({
        ...{ method, path, headers: { 'If-Match': condition } },
        ...(method === 'PUT' ? { body: items.content() } : {}),
      });
      expectStatus(await service.send(ask('"no-such-etag"')), 412);
      const after = await service.get(path);
      const actual = `${after.status}, ETag: ${header(after, 'etag') ?? 'none'}`;
      expectThat(header(after, 'etag') === etag, after, `the unchanged item, ETag: ${etag}`, actual);
      expectStatus(await service.send(ask(etag)), 200, 204);
    },
  );
}
