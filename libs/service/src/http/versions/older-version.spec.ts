import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { API_VERSION } from '@items/dtos/contract';
import type { Answer, Header } from '@items/testing';

import { loadConfig } from '../../runtime/config/load-config.js';
import { ENDED, OLDER, olderVersions } from './older-version.testing.js';
import { startDescribedService, type DescribedService } from '../../service/testing/described-service.testing.js';

const VERSION: Header = ['Api-Version', OLDER];
const DEPRECATION = '</docs/versions/2026-05-20>; rel="deprecation"';

type Json = Readonly<Record<string, unknown>>;

let service: DescribedService;
beforeAll(async () => {
  service = await startDescribedService({
    versions: olderVersions,
    rateLimit: { requests: 10_000, seconds: 60 },
    webhooks: loadConfig({ WEBHOOK_ALLOW: '127.0.0.0/8' }).webhooks,
  });
});
afterAll(() => service.close());

const body = (answer: Answer): Json => answer.json() as Json;
const inOlder = (target: string, ...headers: Header[]) => service.client.get(target, VERSION, ...headers);
const create = async (colour: string, ...headers: Header[]): Promise<Answer> =>
  service.client.post('/items', { name: 'Lamp', colour }, VERSION, ...headers);
const postText = (body: string): Promise<Answer> =>
  service.client.send('POST', '/items', { body, headers: [VERSION, ['Content-Type', 'application/json']] });
const membersOf = (answer: Answer): Json[] => body(answer)['items'] as Json[];
const idOf = (answer: Answer): string => String(body(answer)['id']);

describe('SPEC §9: an older version, in which `color` was `colour`', () => {
  it('declares on every response, including errors, its deprecation, its page and its end', async () => {
    for (const target of ['/items', '/items/x', '/nothing', '/health/live', '/items?foo=1', '/items/%ZZ', '/users']) {
      const answer = await inOlder(target);
      expect([target, answer.all('api-version')]).toEqual([target, [OLDER]]);
      expect([target, answer.all('deprecation')]).toEqual([target, ['@1795132800']]);
      expect([target, answer.all('sunset')]).toEqual([target, ['Tue, 01 Jan 2030 00:00:00 GMT']]);
      expect([target, answer.all('link')]).toEqual([target, [expect.stringContaining(DEPRECATION)]]);
      const current = await service.client.get(target);
      expect(current.header('api-version')).toBe(API_VERSION);
      expect([current.header('deprecation'), current.header('sunset')]).toEqual([undefined, undefined]);
      expect(current.header('link') ?? '').not.toContain('deprecation');
    }
  });

  it('has its fields in resources: created, read, replaced, and listed', async () => {
    const created = await create('red');
    expect([created.status, body(created)]).toEqual([201, expect.objectContaining({ name: 'Lamp', colour: 'red' })]);
    expect(body(created)).not.toHaveProperty('color');
    const target = `/items/${idOf(created)}`;
    expect(body(await inOlder(target))).toEqual(body(created));
    expect(body(await service.client.get(target))).toMatchObject({ color: 'red' });
    const replaced = await service.client.put(target, { name: 'Lamp', colour: 'teal' }, VERSION);
    expect([replaced.status, body(replaced)]).toEqual([200, expect.objectContaining({ colour: 'teal' })]);
    expect(body(await service.client.get(target))).toMatchObject({ color: 'teal' });
    expect(membersOf(await inOlder('/items?per_page=100'))).toContainEqual(body(replaced));
    const length = replaced.header('content-length');
    expect(length).toBe(String(replaced.body.length));
    const head = await service.client.head(target, VERSION);
    expect([head.status, head.header('content-length'), head.body.length]).toEqual([200, undefined, 0]);
  });

  it('sorts and filters by the field, in both styles, and its links work', async () => {
    for (const colour of ['puce', 'mauve', 'puce', 'ochre']) await create(colour);
    const colours = (answer: Answer): unknown[] => membersOf(answer).map((item) => item['colour']);
    const offset = await inOlder('/items?colour=puce,mauve,ochre&sort=-colour,name&page=1&per_page=2');
    expect([offset.status, colours(offset), body(offset)['total']]).toEqual([200, ['puce', 'puce'], 4]);
    const link = offset.header('link') ?? '';
    expect(link).toContain('</items?colour=puce%2Cmauve%2Cochre&sort=-colour%2Cname&page=2&per_page=2>; rel="next", ');
    expect(link).not.toContain('color');
    expect(link.endsWith(`, ${DEPRECATION}`)).toBe(true);
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '';
    expect(colours(await inOlder(next))).toEqual(['ochre', 'mauve']);

    const first = await inOlder('/items?colour=puce,ochre&sort=colour&limit=2');
    const cursor = String(body(first)['next_cursor']);
    const second = await inOlder(/<([^>]+)>; rel="next"/.exec(first.header('link') ?? '')?.[1] ?? '');
    expect([...colours(first), ...colours(second)]).toEqual(['ochre', 'puce', 'puce']);
    // A cursor is valid in every version.
    const inCurrent = await service.client.get(`/items?color=puce,ochre&sort=color&limit=2&cursor=${cursor}`);
    expect(membersOf(inCurrent).map((item) => item['color'])).toEqual(['puce']);
    expect((await inOlder(`/items?colour=puce&sort=colour&limit=2&cursor=${cursor}`)).status).toBe(400);
  });

  it('has its field in errors: in details and messages', async () => {
    const answer = await service.client.post('/items', { name: '', colour: 7, price: 'x' }, VERSION);
    expect([answer.status, body(answer)['details']]).toEqual([
      422,
      [
        { field: 'colour', code: 'wrong_type', message: expect.stringContaining('"colour"') as unknown },
        expect.objectContaining({ field: 'name' }),
        expect.objectContaining({ field: 'price' }),
      ],
    ]);
    expect(body(answer)['error']).not.toContain('"color"');
    const filter = await inOlder('/items?colour=');
    expect([filter.status, body(filter)['details']]).toEqual([400, [expect.objectContaining({ field: 'colour' })]]);
  });

  it('refuses the new name as unknown', async () => {
    const unknown = (field: string): unknown[] => [expect.objectContaining({ field })];
    const posted = await service.client.post('/items', { name: 'Lamp', color: 'red' }, VERSION);
    expect([posted.status, body(posted)['details']]).toEqual([422, unknown('color')]);
    const both = await service.client.post('/items', { name: 'Lamp', color: 'red', colour: 'red' }, VERSION);
    expect([both.status, body(both)['details']]).toEqual([422, unknown('color')]);
    const filtered = await inOlder('/items?color=red');
    expect([filtered.status, body(filtered)['details']]).toEqual([400, unknown('color')]);
    const sorted = await inOlder('/items?sort=color');
    expect([sorted.status, body(sorted)['error']]).toEqual([400, expect.stringContaining('"color"')]);
  });

  it('quotes a body that was refused before translation as it was sent', async () => {
    const inexact = await postText('{"name":"Lamp","colour":1e400}');
    expect([inexact.status, body(inexact)['details']]).toEqual([
      422,
      [expect.objectContaining({ field: 'colour', code: 'inexact_number' })],
    ]);
    const twice = await postText('{"colour":"a","colour":"b"}');
    expect([twice.status, body(twice)['error']]).toEqual([400, expect.stringContaining('"colour"')]);
    expect(twice.header('deprecation')).toBe('@1795132800');
  });

  it('has its own entity tags for the same states', async () => {
    const created = await create('red');
    const target = `/items/${idOf(created)}`;
    const tag = created.header('etag') ?? '';
    const current = (await service.client.get(target)).header('etag') ?? '';
    expect(tag).not.toBe(current);
    expect((await inOlder(target)).header('etag')).toBe(tag);
    expect((await inOlder(target, ['If-None-Match', tag])).status).toBe(304);
    expect((await inOlder(target, ['If-None-Match', `"x", W/${tag}`])).status).toBe(304);
    // The state is the same, but its representation differs.
    expect((await inOlder(target, ['If-None-Match', current])).status).toBe(200);
    expect((await service.client.get(target, ['If-None-Match', tag])).status).toBe(200);
    const put = (...headers: Header[]) =>
      service.client.put(target, { name: 'Lamp', colour: 'blue' }, VERSION, ...headers);
    expect((await put(['If-Match', current])).status).toBe(412);
    expect((await put(['If-Match', 'x'])).status).toBe(400);
    const replaced = await put(['If-Match', tag]);
    expect(replaced.status).toBe(200);
    expect((await put(['If-Match', tag])).status).toBe(412);
    const remove = (match: string) => service.client.delete(target, VERSION, ['If-Match', match]);
    expect((await remove(tag)).status).toBe(412);
    const removed = await remove(replaced.header('etag') ?? '');
    expect([removed.status, removed.header('deprecation')]).toEqual([204, '@1795132800']);
  });

  it('has its field in idempotent replays, and shares the key with the current version', async () => {
    const key: Header = ['Idempotency-Key', 'older-1'];
    const first = await create('red', key);
    const again = await create('red', key);
    expect([again.status, again.header('idempotent-replayed'), again.text]).toEqual([201, 'true', first.text]);
    expect([again.header('etag'), again.header('location')]).toEqual([first.header('etag'), first.header('location')]);
    const inCurrent = await service.client.post('/items', { name: 'Lamp', color: 'red' }, key);
    expect([inCurrent.status, inCurrent.header('idempotent-replayed'), body(inCurrent)]).toEqual([
      201,
      'true',
      expect.objectContaining({ id: idOf(first), color: 'red' }),
    ]);
    expect((await create('blue', key)).status).toBe(422);
  });

  it('has its field in events, also in previous values', async () => {
    const created = await create('red');
    const id = idOf(created);
    await service.client.put(`/items/${id}`, { name: 'Lamp', color: 'blue' });
    const page = await inOlder(`/events?object_id=${id}`);
    const events = body(page)['events'] as {
      id: string;
      api_version: string;
      data: { object: Json; previous?: Json };
    }[];
    expect(
      events.map((event) => [event.api_version, event.data.object['colour'], event.data.previous?.['colour']]),
    ).toEqual([
      [OLDER, 'red', undefined],
      [OLDER, 'blue', 'red'],
    ]);
    expect(page.text).not.toContain('"color"');
    const [, second] = events;
    const one = await inOlder(`/events/${second?.id ?? ''}`);
    expect(body(one)).toEqual(second);
    const inCurrent = body(await service.client.get(`/events/${second?.id ?? ''}`));
    expect(inCurrent).toMatchObject({ api_version: API_VERSION, data: { object: { color: 'blue' } } });
  });

  it('has its field in deliveries to its webhooks, for writes of any version', async () => {
    const received: { version: unknown; body: unknown }[] = [];
    const receiver: Server = createServer((message: IncomingMessage, response) => {
      void json(message).then((sent) => {
        received.push({ version: message.headers['api-version'], body: sent });
        response.end();
        receiver.emit('received');
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/`;
    const webhook = await service.client.post('/webhooks', { url, events: ['item.created'] }, VERSION);
    expect([webhook.status, body(webhook)['api_version']]).toEqual([201, OLDER]);
    await service.client.post('/items', { name: 'Lamp', color: 'jade' });
    await once(receiver, 'received');
    expect((await service.client.delete(`/webhooks/${idOf(webhook)}`)).status).toBe(204);
    receiver.close();
    expect(received).toEqual([
      {
        version: OLDER,
        body: expect.objectContaining({
          api_version: OLDER,
          data: { object: expect.objectContaining({ colour: 'jade' }) as unknown },
        }) as unknown,
      },
    ]);
    expect(JSON.stringify(received)).not.toContain('"color"');
  });

  it('has its own OpenAPI document', async () => {
    const answer = await inOlder('/openapi.json');
    const { info, paths, webhooks, components } = body(answer) as {
      webhooks: Json;
      info: Json;
      paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
      components: { schemas: Record<string, { properties: Json }> };
    };
    expect(info['version']).toBe(OLDER);
    const fields = (name: string): string[] => Object.keys(components.schemas[name]?.properties ?? {});
    expect([fields('Item'), fields('ItemInput')]).toEqual([
      expect.arrayContaining(['colour']),
      expect.arrayContaining(['colour']),
    ]);
    expect(paths['/items']?.['get']?.parameters).toContainEqual(expect.objectContaining({ name: 'colour' }));
    expect(JSON.stringify([paths['/items'], components.schemas['Item']])).not.toMatch(/"-?color"/);
    expect(JSON.stringify(paths['/items'])).toContain('"-colour"');
    expect(JSON.stringify(components.schemas['ItemChange'])).toContain('"colour"');
    expect(webhooks).toHaveProperty(['item.updated']);
    expect(JSON.stringify([webhooks, components.schemas['ItemChange']])).not.toContain('"color"');
    expect(JSON.parse((await service.client.get('/openapi.json')).text)).toMatchObject({
      info: { version: API_VERSION },
    });
    expect((await inOlder('/openapi.json', ['If-None-Match', answer.header('etag') ?? ''])).status).toBe(304);
  });
});

describe('SPEC §9: a version past its end', () => {
  it('gets 400 with the supported versions and the page, in the current version', async () => {
    const answer = await service.client.get('/items', ['Api-Version', ENDED]);
    expect([answer.status, answer.json()]).toEqual([
      400,
      {
        error: `This Api-Version ended on 2028-06-01; supported: ${API_VERSION}, ${OLDER}. What has changed since: /docs/versions/${ENDED}.`,
        code: 'unsupported_api_version',
      },
    ]);
    expect([answer.header('api-version'), answer.header('deprecation')]).toEqual([API_VERSION, undefined]);
  });
});

describe('SPEC §6: an event that was stored in the form of an older version', () => {
  it('is translated to the current one', () => {
    const kept = {
      type: 'item.updated',
      api_version: OLDER,
      data: { object: { colour: 'red' }, previous: { colour: null } },
    };
    const data = { object: { color: 'red' }, previous: { color: null } };
    expect(olderVersions.eventIn(kept)).toEqual({ ...kept, api_version: API_VERSION, data });
    expect(olderVersions.eventIn(kept, OLDER)).toBe(kept);
    expect(olderVersions.eventIn(olderVersions.eventIn(kept), OLDER)).toEqual(kept);
    expect(olderVersions.eventIn({ ...kept, type: 'note.created' })).toMatchObject({ data: kept.data });
    expect(() => olderVersions.eventIn({ ...kept, api_version: '1999-01-01' })).toThrow('no version 1999-01-01');
    expect(loadConfig({}).versions.current).toBe(API_VERSION);
  });
});

describe('SPEC §9: /docs/versions/{version}', () => {
  const pageOf = async (version: string): Promise<string> => {
    const answer = await service.client.withOptions({ headers: [] }).get(`/docs/versions/${version}`);
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.header('x-ratelimit-limit')).toBeUndefined();
    return answer.text.replaceAll('\n', ' ');
  };

  it('shows the lifetime of a version, its changes, and later changes', async () => {
    const change = '<code>colour</code> of an item is <code>color</code>.';
    const current = await pageOf(API_VERSION);
    expect(current).toContain('This is the current version.');
    expect(current).toMatch(new RegExp(`What it changed</h2> <ul> <li>${change}`));
    expect(current).not.toContain('How to move on');
    const older = await pageOf(OLDER);
    expect(older).toContain(`Deprecated since ${API_VERSION}. It ends on 2030-01-01;`);
    expect(older).toMatch(new RegExp(`What version ${API_VERSION} has changed since</h2> <ul> <li>${change}`));
    expect(older).toContain(`<code>Api-Version: ${API_VERSION}</code>`);
    const ended = await pageOf(ENDED);
    expect(ended).toContain('It ended on 2028-06-01');
    expect(ended).toContain('Nothing that a program notices.');
  });

  it('has an entity tag, and is 404 for a version that never existed', async () => {
    const target = `/docs/versions/${OLDER}`;
    const etag = (await service.client.get(target)).header('etag') ?? '';
    expect((await service.client.get(target, ['If-None-Match', etag])).status).toBe(304);
    for (const version of ['1999-01-01', 'latest', '__proto__']) {
      const answer = await service.client.get(`/docs/versions/${version}`);
      expect([version, answer.status, body(answer)['code']]).toEqual([version, 404, 'route_not_found']);
    }
  });
});
