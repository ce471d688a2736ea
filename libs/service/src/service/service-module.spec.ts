import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';

import { collection, Public, type RunningService, ServiceModule, startService } from '../index.js';

class BookInput {
  @Text({ max: 100 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });

@Injectable()
class Greeting {
  readonly text = 'Hello';
}
@Controller('greeting')
class GreetingController {
  constructor(private readonly greeting: Greeting) {}

  @Get()
  @Public()
  show(): string {
    return this.greeting.text;
  }
}
@Module({ providers: [Greeting], exports: [Greeting] })
class GreetingModule {}
@Module({
  imports: [ServiceModule.forRoot({ collections: [books], roles: { clerk: ['books:read'] } }), GreetingModule],
  controllers: [GreetingController],
})
class AppModule {}

const noClose = { close: () => Promise.resolve() };

onBothDatabases(
  'startService(AppModule)',
  (config) => Promise.resolve({ config, ...noClose }),
  (under) => {
    let service: RunningService | undefined;
    afterEach(async () => {
      await service?.stop();
    });

    it('serves the options of ServiceModule.forRoot(), and the modules and controllers of the root module', async () => {
      const { config } = under.database;
      const DATABASE_URL = config.dialect === 'postgres' ? config.url : `sqlite:${config.file}`;
      const settings = { DATABASE_URL, PORT: '0', LOG_LEVEL: 'fatal', WARM_UP_MS: '0', STOP_DELAY: '0' };
      service = await startService(AppModule, {
        settings: { ...settings, ADMIN_API_KEY: 'k'.repeat(32) },
        signals: false,
      });
      const admin = new HttpClient({ baseUrl: service.url, headers: [['X-API-Key', service.adminKey ?? '']] });
      expect((await admin.post('/books', { title: 'Emma' })).status).toBe(201);
      expect((await admin.get('/greeting')).text).toBe('Hello');
      const user = { username: 'ann', password: 'correct horse battery', role: 'clerk' };
      expect((await admin.post('/users', user)).status).toBe(201);
      const document = (await admin.get('/openapi.json')).json() as { paths: object };
      expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/books', '/greeting', '/users']));
    });
  },
);

describe('A root module that cannot be started', () => {
  it('names ServiceModule.forRoot(), which it needs exactly once', async () => {
    @Module({ imports: [GreetingModule] })
    class BareModule {}
    @Module({ imports: [ServiceModule.forRoot({}), ServiceModule.forRoot({})] })
    class TwofoldModule {}
    await expect(startService(BareModule)).rejects.toMatchObject({
      stack:
        'StartRefusedError: BareModule needs ServiceModule.forRoot() among its imports exactly once: add it, or remove the others.',
    });
    await expect(startService(TwofoldModule)).rejects.toThrow(/^TwofoldModule needs ServiceModule/);
  });
});
