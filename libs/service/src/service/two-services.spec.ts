import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { type ArgumentMetadata, type CanActivate, Controller, Injectable, Module, Post, Scope } from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import { Sortable, Text } from '@items/fields';
import { Browser, HttpClient } from '@items/testing';

import { collection, JsonBody, Public, type ServiceOptions } from '../index.js';
import { startForTest, type StartedService } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
}
class FilmInput {
  @Sortable() @Text({ min: 1, max: 200 }) name!: string;
}
class NoteInput {
  @Text({ min: 1, max: 200 }) text!: string;
}
class LongNoteInput {
  @Text({ min: 1, max: 2000 }) body!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
const films = collection({ name: 'films', singular: 'film', input: FilmInput });
const notes = collection({ name: 'notes', singular: 'note', input: NoteInput });
const longNotes = collection({ name: 'notes', singular: 'note', input: LongNoteInput });

const EVERY_SERVICE = ['users:read', 'users:write', 'keys:manage', 'clients:manage', 'webhooks:manage', 'audit:read'];
const SCOPES_OF_BOOKS = ['books:read', 'books:write', 'notes:read', 'notes:write', ...EVERY_SERVICE];
const SCOPES_OF_FILMS = ['films:read', 'films:write', 'notes:read', 'notes:write', ...EVERY_SERVICE];
const PASSWORD = 'correct horse battery';

describe('Two services of one process, each with collections and roles of its own', () => {
  let shop: StartedService;
  let cinema: StartedService;
  beforeAll(async () => {
    shop = await startForTest({ collections: [books, notes], roles: { clerk: ['books:read', 'books:write'] } });
    cinema = await startForTest({
      collections: [films, longNotes],
      roles: { usher: ['films:read'], clerk: ['notes:read'] },
    });
  });
  afterAll(() => Promise.all([shop.stop(), cinema.stop()]));

  const both = (): readonly StartedService[] => [shop, cinema];

  it('name their own scopes in the document, and no others', async () => {
    const [ofShop = '', ofCinema = ''] = await Promise.all(
      both().map(async ({ admin }) => (await admin.get('/openapi.json')).body.toString()),
    );
    expect(wordsIn(ofShop, 'keys:manage')).toEqual([SCOPES_OF_BOOKS]);
    expect(wordsIn(ofCinema, 'keys:manage')).toEqual([SCOPES_OF_FILMS]);
    expect(wordsIn(ofShop, 'viewer')).toEqual([['viewer', 'member', 'clerk', 'admin']]);
    expect(wordsIn(ofCinema, 'viewer')).toEqual([['viewer', 'member', 'usher', 'clerk', 'admin']]);
    expect(ofShop).toContain(`"maxLength":${String(SCOPES_OF_BOOKS.join(' ').length)}`);
    expect(ofShop).not.toMatch(/films:|usher/);
    expect(ofCinema).not.toMatch(/books:/);
  });

  it('announce their own scopes to clients of OAuth', async () => {
    const paths = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'];
    for (const path of paths) {
      const answers = await Promise.all(both().map(({ admin }) => admin.get(path)));
      const supported = answers.map((answer) => (answer.json() as { scopes_supported: string[] }).scopes_supported);
      expect(supported.map((scopes) => scopes.filter((scope) => scope.includes(':')))).toEqual([
        SCOPES_OF_BOOKS,
        SCOPES_OF_FILMS,
      ]);
    }
  });

  it("refuse each other's scopes as unknown ones, in one 422 with all other problems", async () => {
    for (const path of ['/api-keys', '/clients']) {
      const answers = await Promise.all(
        ['films:read', 'bananas:read'].map((scope) => shop.admin.post(path, { name: '', scopes: [scope] })),
      );
      const [others, unknown] = answers.map((answer) => [answer.status, (answer.json() as Refusal).details]);
      expect(others).toEqual(unknown);
      expect(others).toEqual([
        422,
        expect.arrayContaining([
          expect.objectContaining({ field: 'name', code: 'too_short' }),
          expect.objectContaining({
            field: 'scopes',
            code: 'not_allowed',
            message: `"scopes" must contain only ${SCOPES_OF_BOOKS.map((scope) => `"${scope}"`).join(', ')}.`,
            params: { values: SCOPES_OF_BOOKS },
          }),
        ]),
      ]);
    }
    expect((await cinema.admin.post('/api-keys', { name: 'Films', scopes: ['films:read'] })).status).toBe(201);
  });

  it("refuse each other's roles, in bodies and in filters", async () => {
    const user = (await shop.admin.post('/users', { username: 'ada', password: PASSWORD })).json() as { id: string };
    const put = await shop.admin.put(`/users/${user.id}`, { username: 'ada', role: 'usher' });
    const message = '"role" must be one of "viewer", "member", "clerk", "admin".';
    expect([put.status, (put.json() as Refusal).details]).toEqual([
      422,
      [{ field: 'role', code: 'not_allowed', message, params: { values: ['viewer', 'member', 'clerk', 'admin'] } }],
    ]);
    expect((await shop.admin.put(`/users/${user.id}`, { username: 'ada', role: 'clerk' })).status).toBe(200);
    const lists = await Promise.all(both().map(({ admin }) => admin.get('/users?role=usher')));
    expect(lists.map(({ status }) => status)).toEqual([400, 200]);
    expect(lists[0]?.body.toString()).toContain('one of viewer, member, clerk, admin');
  });

  it('give a role of the same name different scopes', async () => {
    const scopes = both().map(async ({ url, admin }) => {
      const login = { username: 'clerk', password: PASSWORD };
      expect((await admin.post('/users', { ...login, role: 'clerk' })).status).toBe(201);
      const session = await new HttpClient({ baseUrl: url }).post('/sessions', login);
      return (session.json() as { scope: string }).scope;
    });
    expect(await Promise.all(scopes)).toEqual(['books:read books:write', 'notes:read']);
  });

  it('give the admin key their own scopes, and no others', async () => {
    for (const [{ admin }, scopes] of [
      [shop, SCOPES_OF_BOOKS],
      [cinema, SCOPES_OF_FILMS],
    ] as const) {
      expect((await admin.post('/api-keys', { name: 'All', scopes })).status).toBe(201);
    }
    expect((await shop.admin.post('/books', { title: 'Emma' })).status).toBe(201);
    expect((await cinema.admin.post('/films', { name: 'Emma' })).status).toBe(201);
  });

  it('keep different collections of the same name apart', async () => {
    expect((await shop.admin.post('/notes', { text: 'Short' })).json()).toMatchObject({ text: 'Short' });
    expect((await cinema.admin.post('/notes', { body: 'Long' })).json()).toMatchObject({ body: 'Long' });
    expect((await shop.admin.post('/notes', { body: 'Long' })).status).toBe(422);
  });

  it('ask on the consent page for their own scopes alone', async () => {
    const { admin, url } = cinema;
    const login = { username: 'mary', password: PASSWORD };
    expect((await admin.post('/users', { ...login, role: 'member' })).status).toBe(201);
    const callback = 'https://shop.example/callback';
    const client = { name: 'Tickets', redirect_uris: [callback], scopes: ['films:read', 'notes:write'] };
    const { id } = (await admin.post('/clients', client)).json() as { id: string };
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: callback,
      scope: 'films:read notes:write',
      state: 'xyz',
      code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const browser = new Browser(url);
    const page = await browser.submit(await browser.get(`/oauth/authorize?${query.toString()}`), login);
    expect([...page.text.matchAll(/<li>(.*?)<\/li>/g)].map(([, sentence]) => sentence)).toEqual([
      'See films <code>films:read</code>',
      'Create, change and delete notes <code>notes:write</code>',
    ]);
  });
});

it('One definition of a collection serves in two services', async () => {
  const services = await Promise.all([
    startForTest({ collections: [books] }),
    startForTest({ collections: [films, books] }),
  ]);
  const made = await Promise.all(services.map(({ admin }) => admin.post('/books', { title: 'Emma' })));
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const keys = services.map(({ admin }) => admin.post('/api-keys', { name: 'Films', scopes: ['films:read'] }));
  expect((await Promise.all(keys)).map(({ status }) => status)).toEqual([422, 201]);
  await Promise.all(services.map(({ stop }) => stop()));
});

describe('Bodies in two services that start at the same moment, one of them with a global pipe', () => {
  class TicketDto {
    @Text({ min: 1, max: 20 }) seat!: string;
  }
  class ParcelDto {
    @Text({ min: 1, max: 20 }) street!: string;
  }
  @Controller('tickets')
  class TicketsController {
    @Post()
    @Public()
    create(@JsonBody(TicketDto) ticket: TicketDto): TicketDto {
      return ticket;
    }
  }
  @Controller('parcels')
  class ParcelsController {
    @Post()
    @Public()
    create(@JsonBody(ParcelDto) parcel: ParcelDto): ParcelDto {
      return parcel;
    }
  }
  @Injectable({ scope: Scope.REQUEST })
  class OpenGuard implements CanActivate {
    canActivate(): boolean {
      return true;
    }
  }
  const transform = (value: object, { type }: ArgumentMetadata): object =>
    type === 'body' && !('seat' in value) ? { ...value, ['street' in value ? 'street' : 'name']: 'Piped' } : value;
  const pipe = { provide: APP_PIPE, useValue: { transform } };
  const guard = { provide: APP_GUARD, useClass: OpenGuard };

  /** @param configureMs Delay between the search for enhancers and the registration of routes. */
  const serviceWith = (providers: object[], configureMs: number): ServiceOptions => {
    @Module({ providers: providers as never, controllers: [ParcelsController, TicketsController] })
    class OwnModule {
      configure(): Promise<void> {
        return sleep(configureMs);
      }
    }
    return { modules: [OwnModule], roles: { [`clerk-${String(providers.length)}`]: ['users:read'] } };
  };

  it.each([
    ['the first', [[pipe], []]],
    ['the second', [[], [pipe]]],
    ['the first, with controllers per request', [[pipe, guard], [guard]]],
    ['the second, with controllers per request', [[guard], [pipe, guard]]],
  ])('%s: only its bodies are piped, and each is validated by its service', async (_which, providers) => {
    const services = await Promise.all(
      providers.map((each, index) => startForTest(serviceWith(each, index === 0 ? 500 : 0))),
    );
    const [seen, expected] = [[] as unknown[], [] as unknown[]];
    for (const [index, { admin }] of services.entries()) {
      const isPiped = providers[index]?.includes(pipe) === true;
      const role = `clerk-${String(providers[index]?.length)}`;
      const answers = [
        await admin.post('/parcels', { street: 'Oak' }),
        await admin.post('/tickets', { seat: '7' }),
        await admin.post('/users', { username: 'mary', name: 'Mary', role, password: PASSWORD }),
        await admin.post('/parcels', { seat: '7' }),
      ];
      seen.push(answers.map((answer) => [answer.status, answer.json()]));
      expected.push([
        [201, { street: isPiped ? 'Piped' : 'Oak' }],
        [201, { seat: '7' }],
        [201, expect.objectContaining({ name: isPiped ? 'Piped' : 'Mary', role })],
        [422, expect.objectContaining({ code: 'validation_failed' })],
      ]);
    }
    await Promise.all(services.map(({ stop }) => stop()));
    expect(seen).toEqual(expected);
  });
});

interface Refusal {
  readonly details: readonly object[];
}

/** Returns every distinct enumeration of a document that contains this word. */
function wordsIn(document: string, word: string): unknown[] {
  const found = new Set<string>();
  JSON.parse(document, (name, value: unknown) => {
    if (name === 'enum' && (value as string[]).includes(word)) found.add(JSON.stringify(value));
    return value;
  });
  return [...found].map((words) => JSON.parse(words) as unknown);
}
