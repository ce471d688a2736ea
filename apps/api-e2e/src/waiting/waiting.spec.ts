import { HttpClient, startApp, type RunningApp, isLongForm } from '@items/testing';

import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';
import { Blocking, type OddRequest } from './blocking.js';
import { documentedInputs, type Document } from './documented-inputs.js';
import { HEADERS } from './headers.js';
import { oddBodies } from './json-bodies.js';
import { loginForm } from './login-form.js';
import { encoded, inHeader, inJson, oddTexts, type TextOf } from './texts.js';

const HEAD_BYTES = 15_000;
const FORM_BYTES = 16_384;
const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];
const FORM_TYPE: [string, string] = ['Content-Type', 'application/x-www-form-urlencoded'];

/**
 * A list of small objects, as ordinary clients might send it. The service reads it completely, and refuses it because
 * it is not one object.
 */
function harmless(key: string): (bytes: number) => OddRequest {
  const line = JSON.stringify({ name: 'Lamp', description: 'Blue', price: 12.5 });
  return (bytes) => ({
    title: 'harmless',
    bytes,
    send: (client) =>
      client.send('POST', '/items', {
        headers: [['X-API-Key', key], JSON_TYPE],
        body: `[${Array.from({ length: Math.floor(bytes / (line.length + 1)) }, () => line).join()}]`,
      }),
  });
}

describeStartedOnce('§4 No input of any allowed size may keep other clients waiting', () => {
  let app: RunningApp;
  let admin: HttpClient;
  let blocking: Blocking;
  let item: string;
  let logins = 0;
  const key = (): [string, string] => ['X-API-Key', app.adminKey];

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
    admin = new HttpClient({ baseUrl: app.baseUrl }).withHeaders(key());
    blocking = new Blocking(app);
    item = String((await admin.post('/items', { name: 'Lamp' })).header('location'));
    for (let n = 0; n < 50; n += 1) await harmless(app.adminKey)(20_000).send(admin);
  });
  afterAll(() => app.stop());

  const expectNoWait = async (requests: readonly OddRequest[]): Promise<void> => {
    expect(requests.length).toBeGreaterThan(0);
    expect(await blocking.tooLong(requests, harmless(app.adminKey))).toEqual([]);
  };
  const ofEachText = (sizes: readonly number[], sendOf: (textOf: TextOf, bytes: number) => OddRequest['send']) =>
    sizes.flatMap((bytes) =>
      oddTexts().map(([title, textOf]) => ({
        title: `${String(bytes)} bytes, ${title}`,
        bytes,
        send: sendOf(textOf, bytes),
      })),
    );

  it.each(isLongForm ? [16_000, 64_000, 256_000, 1_048_000] : [64_000, 1_048_000])(
    'a JSON body of %i bytes keeps no client waiting',
    async (bytes) => {
      const send =
        (body: string): OddRequest['send'] =>
        (client) =>
          client.send('POST', '/items', { headers: [key(), JSON_TYPE], body });
      const texts = ofEachText([bytes], (textOf) => send(`{"name":${inJson(textOf, bytes)}}`));
      await expectNoWait([...texts, ...oddBodies().map(([title, of]) => ({ title, bytes, send: send(of(bytes)) }))]);
    },
    60_000,
  );

  it('any form at the token endpoint keeps no other client waiting', async () => {
    const fields = ['grant_type', 'client_id', 'client_secret', 'scope', 'code', 'refresh_token', 'redirect_uri'];
    await expectNoWait(
      ofEachText([4000, 16_000], (textOf, bytes) => (client) => {
        const share = Math.floor(bytes / fields.length) - 20;
        const body = fields.map((name) => `${name}=${encoded(textOf, share)}`).join('&');
        return client.send('POST', '/oauth/token', { headers: [FORM_TYPE], body: body.slice(0, FORM_BYTES) });
      }),
    );
  });

  it('any form at the login page keeps no other client waiting', async () => {
    const form = await loginForm(app.baseUrl, admin);
    await expectNoWait(
      ofEachText([16_000], (textOf, bytes) => (client) => {
        const body = `username=u${String((logins += 1))}&password=${encoded(textOf, bytes - 100)}`;
        return client.send('POST', form.path, { headers: [FORM_TYPE, ['Cookie', form.cookie]], body });
      }),
    );
  });

  it.each(['color', 'sort', 'cursor', 'page', 'limit', 'unknown'])(
    'a query of a list keeps no client waiting: %s',
    async (name) => {
      await expectNoWait(
        ofEachText(
          [HEAD_BYTES],
          (textOf, bytes) => (client) => client.get(`/items?${name}=${encoded(textOf, bytes)}`, key()),
        ),
      );
    },
    60_000,
  );

  it('any Authorization header keeps no other client waiting', async () => {
    await expectNoWait(
      ofEachText([11_000], (textOf, bytes) => (client) => {
        const text = `u${String((logins += 1))}:${inHeader(textOf, bytes)}`;
        const credentials = Buffer.from(text, 'latin1').toString('base64');
        return client.get('/items', ['Authorization', `Basic ${credentials}`]);
      }),
    );
  });

  it.each(HEADERS)(
    'the header %s keeps no client waiting',
    async (name) => {
      const targets: [string, string][] = [
        ['GET', item],
        ['GET', '/docs'],
        ['POST', '/items'],
        ['OPTIONS', '/items'],
        ['POST', '/oauth/token'],
      ];
      const requests = oddTexts().map(([title, textOf], index): OddRequest => {
        const [method, target] = targets[index % targets.length] ?? ['GET', '/items'];
        const value = inHeader(textOf, HEAD_BYTES);
        const credential = ['x-api-key', 'authorization'].includes(name.toLowerCase()) ? [] : [key()];
        const headers: [string, string][] = [...credential, [name, value], ...(method === 'POST' ? [JSON_TYPE] : [])];
        const body = method === 'POST' ? { body: '{"name":"Lamp"}' } : {};
        return {
          title: `${method} ${target}, ${title}`,
          bytes: HEAD_BYTES,
          send: (client) => client.send(method, target, { headers, ...body }),
        };
      });
      await expectNoWait(requests);
    },
    60_000,
  );

  describe('each parameter, header and field of each route, at its limit', () => {
    let document: Document;
    beforeAll(async () => {
      document = (await admin.get('/openapi.json')).json() as Document;
    });

    it('keeps no other client waiting', async () => {
      const inputs = documentedInputs(document, app.adminKey);
      expect(inputs.length).toBeGreaterThan(300);
      await expectNoWait(inputs);
    });

    it('each header in the document is tested with every text', () => {
      const known = HEADERS.map((name) => name.toLowerCase());
      // Only headers of requests: the service itself sends those of webhooks.
      const received = JSON.stringify(document.paths);
      const parameters = Object.entries(document.components['parameters'] ?? {})
        .filter(([name]) => received.includes(`"#/components/parameters/${name}"`))
        .map(([, parameter]) => parameter as { name: string; in: string });
      const schemes = Object.values(document.components['securitySchemes'] ?? {}) as { name?: string; in?: string }[];
      const documented = [...parameters, ...schemes]
        .filter((part) => part.in === 'header')
        .map(({ name }) => String(name));
      expect(documented.length).toBeGreaterThan(4);
      expect(documented.filter((name) => !known.includes(name.toLowerCase()))).toEqual([]);
    });
  });
});
