import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ROLES } from '@items/dtos/contract';
import { Choice, Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import { freePort, HttpClient } from '@items/testing';
import { Controller, Get, Module, Post } from '@nestjs/common';

import {
  Caller,
  collection,
  type CollectionOf,
  InjectCollection,
  JsonBody,
  type Principal,
  RequireScope,
  startService,
} from '../index.js';
import { startForTest, type StartedService, StartedServices } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200, trim: true }) title!: string;
  @Filterable() @Text({ min: 1, max: 100 }) author!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });

@Controller('hello')
class HelloController {
  constructor(@InjectCollection(books) private readonly shelf: CollectionOf<typeof books>) {}

  @Get()
  @RequireScope('books:write')
  async hello(@Caller() { isAdmin }: Principal): Promise<object> {
    return { isAdmin, hasShelf: typeof this.shelf.create === 'function' };
  }

  @Post()
  @RequireScope('books:write')
  echo(@JsonBody() body: unknown): unknown {
    return { body };
  }
}

@Module({ controllers: [HelloController] })
class HelloModule {}

class NoteInput {
  @Sortable() @Text({ min: 1, max: 200 }) text!: string;
}
const notes = collection({ name: 'notes', singular: 'note', input: NoteInput, parent: 'users' });
const diaries = collection({
  name: 'diaries',
  singular: 'diary',
  input: NoteInput,
  parent: 'users',
  onDelete: 'keep',
});
const EMMA = { title: 'Emma', author: 'Austen', year: 1815 };

function start(): Promise<StartedService> {
  return startForTest({ collections: [books, notes, diaries], modules: [HelloModule], info: { title: 'Books' } });
}

describe('startService() with roles', () => {
  const settings = { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'error' };

  it('gives users of a role its scopes, and no others', async () => {
    const roles = { clerk: ['books:read', 'books:write'] };
    const service = await startForTest({ collections: [books], roles });
    const client = service.admin;
    const login = { username: 'clerk', password: 'correct horse battery' };
    const clerk = { ...login, role: 'clerk' };
    expect((await client.post('/users', clerk)).json()).toMatchObject({ role: 'clerk' });
    const session = (await new HttpClient({ baseUrl: service.url }).post('/sessions', login)).json() as {
      access_token: string;
      scope: string;
    };
    expect(session.scope).toBe('books:read books:write');
    const own = new HttpClient({
      baseUrl: service.url,
      headers: [['Authorization', `Bearer ${session.access_token}`]],
    });
    expect([(await own.post('/books', EMMA)).status, (await own.get('/users')).status]).toEqual([201, 403]);
    expect((await client.get('/users?role=clerk')).json()).toMatchObject({ total: 1 });
    const refused = await client.post('/users', { ...clerk, username: 'cook', role: 'cook' });
    expect([refused.status, refused.body.toString()]).toEqual([422, expect.stringContaining('clerk')]);
    await service.stop();
  });

  it('validates fields of its collections by its own roles', async () => {
    class ShiftInput {
      @Choice(ROLES) role!: string;
    }
    const shifts = collection({ name: 'shifts', singular: 'shift', input: ShiftInput });
    const roles = { clerk: ['shifts:read'] };
    const service = await startForTest({ collections: [shifts], roles });
    const client = service.admin;
    const [made, refused] = [
      await client.post('/shifts', { role: 'clerk' }),
      await client.post('/shifts', { role: 'cook' }),
    ];
    await service.stop();
    expect([made.status, refused.status, refused.text]).toEqual([201, 422, expect.stringContaining('clerk')]);
  });

  it.each([
    [{ Clerk: ['books:read'] }, 'A role cannot be called "Clerk"'],
    [{ clerk: ['bananas:read'] }, 'names the scope "bananas:read", but there are only books:read'],
    [{ admin: ['books:read'] }, 'The role "admin" has other scopes already'],
    [{ constructor: ['books:none'] }, 'names the scope "books:none"'],
  ])('refuses %j', async (roles, message) => {
    await expect(startService({ collections: [books], roles, settings, signals: false })).rejects.toThrow(message);
  });

  it('gives nothing to users of a role that is no longer named, and shows them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'items-roles-'));
    const services = new StartedServices({ dialect: 'sqlite', file: join(folder, 'books.sqlite') });
    const roles = { pilot: ['books:read'] };
    const service = await services.start({ collections: [books], roles });
    const user = { username: 'former', password: 'correct horse battery' };
    const made = (await service.admin.post('/users', { ...user, role: 'pilot' })).json() as { id: string };
    await service.stop();
    const again = await services.start({ collections: [books] });
    const other = again.admin;
    expect((await other.get(`/users/${made.id}`)).json()).toMatchObject({ username: 'former', role: 'pilot' });
    expect((await other.get('/users')).json()).toMatchObject({ users: [{ role: 'pilot' }], total: 1 });
    const session = (await new HttpClient({ baseUrl: again.url }).post('/sessions', user)).json() as {
      access_token: string;
      scope: string;
    };
    expect(session.scope).toBe('');
    const own = new HttpClient({
      baseUrl: again.url,
      headers: [['Authorization', `Bearer ${session.access_token}`]],
    });
    expect((await own.get('/books')).status).toBe(403);
    expect((await other.put(`/users/${made.id}`, { username: 'former', role: 'viewer' })).status).toBe(200);
    await again.stop();
    rmSync(folder, { recursive: true });
  });
});

describe('startService()', () => {
  let service: StartedService;
  let client: HttpClient;
  beforeAll(async () => {
    service = await start();
    client = service.admin;
  });
  afterAll(() => service.stop());

  it('serves the table of §4 for a collection, and makes its tables', async () => {
    const made = await client.post('/books', EMMA);
    expect([made.status, made.json()]).toMatchObject([201, EMMA]);
    const { id } = made.json() as { id: string };
    const put = await client.put(`/books/${id}`, { ...(made.json() as object), year: null });
    expect([put.status, put.json()]).toMatchObject([200, { year: null }]);
    expect((await client.get('/books?author=Austen&sort=-year&limit=5')).json()).toMatchObject({ books: [{ id }] });
    expect((await client.post('/books', { title: '' })).status).toBe(422);
    expect((await client.delete(`/books/${id}`)).status).toBe(204);
  });

  it('records an event for each change', async () => {
    const { events } = (await client.get('/events')).json() as { events: { type: string }[] };
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['book.created', 'book.deleted']));
  });

  it('nests a collection below users', async () => {
    const user = await client.post('/users', { username: 'jane', password: 'correct horse battery' });
    const { id } = user.json() as { id: string };
    const note = await client.post(`/users/${id}/notes`, { text: 'Read Emma' });
    expect([note.status, note.json()]).toMatchObject([201, { text: 'Read Emma', user_id: id }]);
    expect((await client.get(`/users/${id}/notes?page=1`)).json()).toMatchObject({ total: 1 });
  });

  it('keeps a user who has members that do not outlive them, and deletes one whose members do', async () => {
    const user = await client.post('/users', { username: 'keeper', password: 'correct horse battery' });
    const { id } = user.json() as { id: string };
    const note = (await client.post(`/users/${id}/notes`, { text: 'Stay' })).json() as { id: string };
    await client.post(`/users/${id}/diaries`, { text: 'Outlives' });
    const refused = await client.delete(`/users/${id}`);
    expect([refused.status, refused.json()]).toMatchObject([409, { code: 'has_children' }]);
    expect((await client.get(`/users/${id}`)).status).toBe(200);
    expect((await client.delete(`/users/${id}/notes/${note.id}`)).status).toBe(204);
    expect((await client.delete(`/users/${id}`)).status).toBe(204);
    expect((await client.get(`/users/${id}/diaries?page=1`)).json()).toMatchObject({ total: 1 });
    expect((await client.post(`/users/${id}/notes`, { text: 'Late' })).status).toBe(404);
  });

  it('has its scopes, and no others: keys, roles and the document', async () => {
    const key = await client.post('/api-keys', { name: 'Reader', scopes: ['books:read'] });
    const { key: secret } = key.json() as { key: string };
    expect(key.status).toBe(201);
    const reader = new HttpClient({ baseUrl: service.url, headers: [['X-API-Key', secret]] });
    expect([(await reader.get('/books')).status, (await reader.post('/books', EMMA)).status]).toEqual([200, 403]);
    expect((await client.post('/api-keys', { name: 'No', scopes: ['items:read'] })).status).toBe(422);
    const document = (await client.get('/openapi.json')).body.toString();
    expect(document).toContain('books:write');
    expect(JSON.parse(document)).toMatchObject({ info: { title: 'Books' } });
    expect(Object.keys((JSON.parse(document) as { paths: object }).paths)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/items|orders/)]),
    );
    expect((await client.get('/orders')).status).toBe(404);
  });

  it('runs in parallel to another service, which sees nothing of it', async () => {
    const other = await start();
    await client.post('/books', EMMA);
    expect((await other.admin.get('/books')).json()).toMatchObject({ books: [], total: 0 });
    await other.stop();
    expect((await client.get('/books')).status).toBe(200);
  });

  it('serves controllers of its own, which need no description, by the same credentials', async () => {
    const hello = await client.get('/hello');
    expect([hello.status, hello.json()]).toEqual([200, { isAdmin: true, hasShelf: true }]);
    expect((await new HttpClient({ baseUrl: service.url }).get('/hello')).status).toBe(401);
  });

  it('hands the parsed JSON to a controller that names no class, and refuses other bodies', async () => {
    for (const body of [{ a: [1, null] }, 'text', 5, null, []]) {
      const answer = await client.send('POST', '/hello', { json: body });
      expect([answer.status, answer.json()]).toEqual([201, { body }]);
    }
    const raw = (type: string, body: string): Promise<Response> =>
      fetch(`${service.url}/hello`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': type, 'X-API-Key': service.adminKey ?? '' },
      });
    const refused = [
      await raw('application/json', '{"a":'),
      await raw('text/plain', '{}'),
      await raw('application/json', `"${'x'.repeat(1 << 20)}"`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 415, 413]);
  });

  it('serves its health on a port of its own until it is stopped; then nothing keeps the process', async () => {
    const port = String(await freePort());
    const settings = { DATABASE_URL: 'sqlite::memory:', PORT: '0', HEALTH_PORT: port, LOG_LEVEL: 'error' };
    // Use the built service, because its worker thread is a file of the build.
    const program = `import('@items/service').then(async ({ startService }) => {
      const service = await startService({ collections: [], settings: ${JSON.stringify(settings)}, signals: false });
      const ready = () => fetch('http://127.0.0.1:${port}/health/ready', { headers: { connection: 'close' } });
      while ((await ready()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
      await service.stop();
      console.log(await ready().catch(() => 'stopped'));
    })`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
      cwd: __dirname,
      timeout: 30_000,
    });
    expect(stdout).toBe('stopped\n');
  });

  it('starts and stops several times in one process, without listeners that stay', async () => {
    const before = process.eventNames().map((name) => process.listenerCount(name));
    for (let round = 0; round < 5; round++) await (await start()).stop();
    expect(process.eventNames().map((name) => process.listenerCount(name))).toEqual(before);
  });
});
