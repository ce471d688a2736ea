import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Database } from '@items/service/store';
import { HttpClient, postgresUnderTest, provideDatabase, withMovableClock, type Answer } from '@items/testing';

import {
  readRelease,
  RELEASES,
  restoreRelease,
  type RecordedDatabase,
  type RecordedRelease,
  type RecordedWalk,
} from './recorded-release.testing.js';
import { schemaOf } from './schema.testing.js';
import { startOn, type UpgradedService } from './upgraded-service.testing.js';

type Page = Readonly<Record<string, unknown>> & { readonly next_cursor?: string };

const NAMES = readdirSync(RELEASES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const DIALECTS = postgresUnderTest() === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);
const CASES = NAMES.flatMap((name) => DIALECTS.map((dialect) => [name, dialect] as const));
const STEP_MS = 50;

describe.each(CASES)('§4.1 A database that release %s left on %s', (name, dialect) => {
  const released = readRelease(name, dialect);
  let database: RecordedDatabase | undefined;
  let running: UpgradedService | undefined;

  beforeEach(async () => {
    database = await restoreRelease(name, dialect, postgresUnderTest());
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await database?.drop();
  });

  /** Starts this version at the time of the recording. `pass` moves its clock, in milliseconds. */
  function upgraded(work: (service: UpgradedService, pass: (ms: number) => void) => Promise<void>): Promise<void> {
    return withMovableClock(async (pass) => {
      running = await startOn(database!.config, released.env);
      pass(10_000);
      await work(running, pass);
    }, released.made_at);
  }

  it('has the schema of a new database', () =>
    upgraded(async ({ app }) => {
      const found = await schemaOf(app.get(Database));
      const provided = await provideDatabase(dialect);
      const { url } = provided;
      const fresh = await startOn(
        dialect === 'postgres' ? { dialect, url } : { dialect, file: url.slice('sqlite:'.length) },
      );
      try {
        const made = await schemaOf(fresh.app.get(Database));
        expect(made.length).toBeGreaterThan(300);
        expect(found).toEqual(made);
      } finally {
        await fresh.stop();
        await provided.drop();
      }
    }));

  it('returns the same resources to the same credentials', () =>
    upgraded(async ({ url: baseUrl }) => {
      for (const { as, target, status, body } of released.reads) {
        const answer = await clientOf(released, baseUrl, as).get(target);
        expect([as, target, answer.status]).toEqual([as, target, status]);
        expect(withoutUse(answer.json())).toMatchObject(withoutUse(body) as object);
      }
    }));

  it('returns the resource once for a stored entity tag, and then 304', () =>
    upgraded(async ({ url: baseUrl, admin }) => {
      const tagged = released.reads.filter(({ etag }) => etag !== undefined);
      expect(tagged.length).toBeGreaterThan(10);
      for (const { as, target, etag: stored = '' } of tagged) {
        const client = clientOf(released, baseUrl, as);
        const first = await client.get(target, ['If-None-Match', stored]);
        const tag = first.header('etag') ?? '';
        // Only tags since 2026-11-27 contain the version of the JSON format. Older tags never match.
        const isForm = /-[0-9a-f]{5}"$/.test(stored) && tag === stored;
        expect([target, first.status]).toEqual([target, isForm ? 304 : 200]);
        expect((await client.get(target, ['If-None-Match', tag])).status).toBe(304);
      }
      const { target: item = '' } = tagged.find(({ target }) => target.startsWith('/items/')) ?? {};
      const tag = (await admin.get(item)).header('etag') ?? '';
      expect((await admin.put(item, { name: 'Changed' }, ['If-Match', `${tag.slice(0, -1)}0"`])).status).toBe(412);
      expect((await admin.put(item, { name: 'Changed' }, ['If-Match', tag])).status).toBe(200);
    }));

  it('continues open walks during any writes', () =>
    upgraded(async ({ url: baseUrl, admin }) => {
      await admin.post('/items', { name: 'Item 5b', color: 'red', price: 5 });
      const { items } = (await admin.get('/items?per_page=100')).json() as { items: { id: string; name: string }[] };
      for (const { id } of items.filter(({ name: old }) => /[3-5]/.test(old))) {
        expect((await admin.put(`/items/${id}`, { name: 'Other', color: 'green', price: 999 })).status).toBe(200);
      }
      for (const walk of released.walks) {
        expect([walk.target, await restOf(clientOf(released, baseUrl, walk.as), walk)]).toEqual([
          walk.target,
          walk.rest.map((member) => expect.objectContaining(asShownNow(member)) as unknown),
        ]);
      }
    }));

  it('serves the feed from each position', () =>
    upgraded(async ({ url: baseUrl }) => {
      const feeds = released.walks.filter(({ after }) => after !== undefined);
      expect(feeds).not.toEqual([]);
      for (const { as, target, list, after, since } of feeds) {
        const whole = `${target.replace(/limit=\d+/, 'limit=100')}&after=${after ?? ''}`;
        const answer = await clientOf(released, baseUrl, as).get(whole);
        const page = answer.json() as Record<string, { id: string }[]>;
        expect([target, answer.status, page[list]?.map(({ id }) => id)]).toEqual([target, 200, since]);
      }
    }));

  it('repeats the responses of its idempotency records', () =>
    upgraded(async ({ url: baseUrl }) => {
      for (const { as, target, headers = [], json, status, body, etag } of released.repeated) {
        const answer = await clientOf(released, baseUrl, as).post(target, json, ...headers);
        expect([answer.status, answer.header('etag')]).toEqual([status, etag]);
        expect(answer.json()).toMatchObject(body);
      }
    }));

  it('refreshes its tokens, and exchanges its code', () =>
    upgraded(async ({ url: baseUrl }) => {
      for (const form of [
        ...released.refreshes.map((each) => ({ grant_type: 'refresh_token', ...each })),
        released.code,
      ]) {
        const answer = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
        const { access_token: token } = (await answer.json()) as { access_token: string };
        expect(answer.status).toBe(200);
        const bearer = new HttpClient({ baseUrl, headers: [['Authorization', `Bearer ${token}`]] });
        expect((await bearer.get('/items')).status).toBe(200);
      }
    }));

  it('sends pending deliveries with the signatures of both secrets', () =>
    upgraded(async ({ admin }, pass) => {
      const { id, secrets, pending } = released.webhook;
      const receiver = await startReceiver();
      try {
        const changed = await admin.put(`/webhooks/${id}`, { url: receiver.url, events: ['item.*', 'order.created'] });
        expect(changed.status).toBe(200);
        const attempts = `/webhooks/${id}/deliveries/${pending[0]?.id ?? ''}/attempts`;
        expect((await admin.post(attempts, {})).status).toBe(201);
        const { headers, body } = await receiver.received(pending[0]?.event_id ?? '', pass);
        const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
        const signatures = secrets.map((secret) => `v1,${signatureOf(secret, signed)}`);
        expect(String(headers['webhook-signature']).split(' ').sort()).toEqual(signatures.sort());
      } finally {
        receiver.close();
      }
    }));
});

function clientOf({ credentials }: RecordedRelease, baseUrl: string, as: string): HttpClient {
  return new HttpClient({ baseUrl, headers: credentials[as] ?? [] });
}

/** Removes the time of the last use, which each read changes. */
function withoutUse(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'last_used_at' ? undefined : value));
}

async function restOf(client: HttpClient, { target, list, cursor }: RecordedWalk): Promise<unknown[]> {
  const rest: unknown[] = [];
  for (let next: string | undefined = cursor; next !== undefined;) {
    const answer: Answer = await client.get(`${target}&cursor=${next}`);
    if (answer.status !== 200) throw new Error(`${target}: ${answer.text}`);
    const page = answer.json() as Page;
    rest.push(...(page[list] as unknown[]));
    next = page.next_cursor;
  }
  return rest;
}

function signatureOf(secret: string, text: string): string {
  return createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(text)
    .digest('base64');
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Receiver {
  readonly url: string;
  /** Waits for an event. Moves the clock meanwhile, because a failed round of the dispatcher is repeated after 1 s. */
  received(id: string, pass: (ms: number) => void): Promise<Received>;
  close(): void;
}

async function startReceiver(): Promise<Receiver> {
  const all: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      all.push({ headers: request.headers, body });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    received: async (id, pass) => {
      for (;;) {
        const found = all.find(({ headers }) => headers['webhook-id'] === id);
        if (found !== undefined) return found;
        await sleep(STEP_MS);
        pass(STEP_MS);
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Actor {
  readonly type: string;
  readonly credential_id: string | null;
  readonly client_id: string | null;
}

/**
 * Returns a member in its current form: audit records of sessions had no client when the release was recorded, and
 * SPEC §6.3 names it `first-party` now.
 */
function asShownNow(member: object): object {
  const { actor } = member as { readonly actor?: Actor };
  if (actor?.type !== 'user' || actor.credential_id === null || actor.client_id !== null) return member;
  return { ...member, actor: { ...actor, client_id: 'first-party' } };
}
