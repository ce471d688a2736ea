import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Text } from '@items/fields';
import { type Header, HttpClient } from '@items/testing';
import type { FastifyRequest } from 'fastify';

import { collection, RequireScope } from '../index.js';
import { type StartedService, startForTest } from './started-services.testing.js';

const PASSWORD = 'correct horse battery';
const UNKNOWN_VERSION: Header = ['Api-Version', '1999-01-01'];
const CLOSED: Header = ['X-Closed', 'yes'];

class BookInput {
  @Text({ min: 1, max: 200 }) title!: string;
}

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<FastifyRequest>().headers['x-closed'] === undefined;
  }
}
@Controller('reports')
@UseGuards(ClosedGuard)
class ReportsController {
  @Get()
  @RequireScope('books:read')
  read(): object {
    return {};
  }
}
@Module({ controllers: [ReportsController] })
class ReportsModule {}
@Module({ providers: [{ provide: APP_GUARD, useClass: ClosedGuard }] })
class ClosedModule {}

const options = { input: BookInput, singular: 'book', name: 'books' };

describe('The order of judgement (§1.3): 403 comes before 400 for an unknown Api-Version', () => {
  let running: StartedService;
  afterEach(() => running.stop());

  /** Statuses of an open and of a closed path, with an unknown version. */
  const statusesOf = async (path: string): Promise<number[]> => {
    const { admin } = running;
    const answers = [await admin.get(path), await admin.get(path, UNKNOWN_VERSION), await admin.get(path, CLOSED)];
    return [...answers, await admin.get(path, CLOSED, UNKNOWN_VERSION)].map(({ status }) => status);
  };

  it('if the guard of a collection or of a controller refuses the request', async () => {
    const books = collection({ ...options, decorators: [UseGuards(ClosedGuard)] });
    running = await startForTest({ collections: [books], modules: [ReportsModule] });
    for (const path of ['/books', '/reports']) {
      expect([path, await statusesOf(path)]).toEqual([path, [200, 400, 403, 403]]);
    }
    expect(await statusesOf('/users')).toEqual([200, 400, 200, 400]);
  });

  it('if a global guard refuses the request, on routes of collections and controllers, and on pages', async () => {
    running = await startForTest({
      collections: [collection(options)],
      modules: [ClosedModule],
    });
    for (const path of ['/books', '/users', '/openapi.json', '/docs']) {
      expect([path, await statusesOf(path)]).toEqual([path, [200, 400, 403, 403]]);
    }
    // The request is refused before anything is written.
    const refused = await running.admin.post('/books', { title: 'Emma' }, UNKNOWN_VERSION);
    expect([refused.status, (await running.admin.get('/books')).json()]).toEqual([
      400,
      expect.objectContaining({ total: 0 }),
    ]);
  });

  it('if HTTPS is required, and the body holds a credential', async () => {
    running = await startForTest({ collections: [collection(options)], settings: { REQUIRE_HTTPS: 'on' } });
    const login = { username: 'mary', password: PASSWORD };
    const anonymous = new HttpClient({ baseUrl: running.url });
    expect((await anonymous.post('/sessions', login, UNKNOWN_VERSION)).status).toBe(403);
  });

  it('if only administrators may link identities, also before a wrong body', async () => {
    const roles = { registrar: ['users:read', 'users:write'] };
    running = await startForTest({ collections: [collection(options)], roles });
    await running.admin.post('/users', { username: 'mary', password: PASSWORD, role: 'registrar' });
    const basic = `Basic ${Buffer.from(`mary:${PASSWORD}`).toString('base64')}`;
    const mary = new HttpClient({ baseUrl: running.url, headers: [['Authorization', basic]] });
    const answers = [
      await mary.put('/users/me/identity', []),
      await mary.put('/users/me/identity', [], UNKNOWN_VERSION),
      await mary.delete('/users/me/identity', UNKNOWN_VERSION),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    const ofNoUser = await running.admin.put('/users/me/identity', { issuer: 'https://x.test', subject: 'x' });
    expect(ofNoUser.status).toBe(404);
  });
});
