import { Controller, forwardRef, Get, Injectable, Module, type Type } from '@nestjs/common';
import { Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';
import type { QueryRunner } from 'typeorm';

import { Database } from '../data/database/database.js';
import { Schema } from '../data/schema/schema.js';
import { collection, type CollectionOf, InjectCollection, Public, RequireScope } from '../index.js';
import { type RunningService, ServiceModule, startService } from '../index.js';

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

const novels = collection({ name: 'novels', singular: 'novel', input: BookInput });
class LoanInput {
  @Text({ max: 100 }) reader!: string;
}
const loans = collection({ name: 'loans', singular: 'loan', input: LoanInput, parent: novels });

/** Makes the table in an older form, with an index that the definition does not need. */
class CreateNovels1700000000000 {
  readonly name = 'CreateNovels1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const sortable = ['created_at', 'updated_at', 'title'].map((column) => ({ column }));
    await schema.createCollection({
      table: 'novels',
      columns: [`title ${schema.text} NOT NULL`],
      sortable,
      filters: [],
    });
  }
}

@Controller('loan-count')
class LoanCountController {
  constructor(@InjectCollection(loans) private readonly members: CollectionOf<typeof loans>) {}

  @Get()
  @RequireScope('novels:read')
  async show(): Promise<object> {
    return { count: (await this.members.transaction((tx) => loans.list(tx))).length };
  }
}
@Module({
  imports: [
    ServiceModule.forFeature(novels, { migrations: [CreateNovels1700000000000] }),
    forwardRef(() => LoansModule),
  ],
})
class NovelsModule {}
@Module({
  imports: [forwardRef(() => NovelsModule), ServiceModule.forFeature(novels), ServiceModule.forFeature(loans)],
  controllers: [LoanCountController],
})
class LoansModule {}
@Module({ imports: [ServiceModule.forRoot({}), NovelsModule] })
class LibraryModule {}
@Module({ imports: [Promise.resolve(ServiceModule.forFeature(novels)), forwardRef(() => LoansModule)] })
class LateNovelsModule {}
@Module({ imports: [ServiceModule.forRoot({}), Promise.resolve({ module: LateNovelsModule })] })
class LateModule {}

const noClose = { close: () => Promise.resolve() };

onBothDatabases(
  'startService(AppModule)',
  (config) => Promise.resolve({ config, ...noClose }),
  (under) => {
    let service: RunningService | undefined;
    afterEach(async () => {
      await service?.stop();
    });

    const start = async (root: Type): Promise<HttpClient> => {
      const { config } = under.database;
      const DATABASE_URL = config.dialect === 'postgres' ? config.url : `sqlite:${config.file}`;
      const settings = { DATABASE_URL, PORT: '0', LOG_LEVEL: 'fatal', WARM_UP_MS: '0', STOP_DELAY: '0' };
      service = await startService(root, {
        settings: { ...settings, ADMIN_API_KEY: 'k'.repeat(32) },
        signals: false,
      });
      return new HttpClient({
        baseUrl: service.url,
        headers: [
          ['X-API-Key', service.adminKey ?? ''],
          ['Connection', 'close'],
        ],
      });
    };

    it('serves the options of ServiceModule.forRoot(), and the modules and controllers of the root module', async () => {
      const admin = await start(AppModule);
      expect((await admin.post('/books', { title: 'Emma' })).status).toBe(201);
      expect((await admin.get('/greeting')).text).toBe('Hello');
      const user = { username: 'ann', password: 'correct horse battery', role: 'clerk' };
      expect((await admin.post('/users', user)).status).toBe(201);
      const document = (await admin.get('/openapi.json')).json() as { paths: object };
      expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/books', '/greeting', '/users']));
    });

    it.each([LibraryModule, LateModule])(
      'serves the collections of ServiceModule.forFeature() once: %p',
      async (root) => {
        const admin = await start(root);
        const { count } = (await admin.get('/loan-count')).json() as { count: number };
        const novel = (await admin.post('/novels', { title: 'Emma' })).json() as { id: string };
        expect((await admin.post(`/novels/${novel.id}/loans`, { reader: 'Ann' })).status).toBe(201);
        expect((await admin.delete(`/novels/${novel.id}`)).json()).toMatchObject({ code: 'has_children' });
        expect((await admin.get('/loan-count')).json()).toEqual({ count: count + 1 });
        const document = (await admin.get('/openapi.json')).json() as { paths: object };
        expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/novels', '/novels/{novel_id}/loans']));
      },
    );

    it('makes the table of a collection by its own migrations', async () => {
      await start(LibraryModule);
      const table = { sqlite: 'sqlite_master', postgres: 'pg_indexes' }[under.database.config.dialect];
      const column = { sqlite: 'name', postgres: 'indexname' }[under.database.config.dialect];
      const sql = `SELECT count(*) AS n FROM ${table} WHERE ${column} = 'novels_by_title'`;
      expect(await service?.app.get(Database, { strict: false }).query(sql)).toEqual([{ n: 1 }]);
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
