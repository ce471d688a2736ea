import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { Controller, Get, Header, type MessageEvent, Module, Sse } from '@nestjs/common';
import { Sortable, Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';
import { finalize, firstValueFrom, interval, type Observable, Subject } from 'rxjs';

import { collection, type CollectionOf, InjectCollection, RequireScope } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ max: 100 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });
const ticks = new Subject<MessageEvent>();
const left = new Subject<void>();

@Controller('reports')
class ReportsController {
  constructor(@InjectCollection(books) private readonly service: CollectionOf<typeof books>) {}

  @Get('books.csv')
  @RequireScope('books:read')
  @Header('Content-Type', 'text/csv; charset=utf-8')
  async csv(): Promise<string> {
    const rows = await this.service.transaction((tx) => books.list(tx, { sort: 'title', limit: 1000 }));
    return ['title', ...rows.map(({ title }) => `"${title.replaceAll('"', '""')}"`), ''].join('\r\n');
  }

  @Sse('ticks')
  @RequireScope('books:read')
  ticks(): Observable<MessageEvent> {
    return ticks.pipe(finalize(() => left.next()));
  }
}

@Module({ controllers: [ReportsController] })
class ReportsModule {}

onBothDatabases(
  'Routes of own controllers',
  (database) => Promise.resolve(new StartedServices(database)),
  (under) => {
    let service: StartedService;
    beforeAll(async () => {
      service = await under.database.start({ collections: [books], modules: [ReportsModule] });
    });

    it('send CSV', async () => {
      for (const title of ['Persuasion', 'The "Emma"']) await service.admin.post('/books', { title });
      const answer = await service.admin.get('/reports/books.csv');
      expect([answer.status, answer.header('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(answer.text).toBe('title\r\n"Persuasion"\r\n"The ""Emma"""\r\n');
    });

    it('send events until the client leaves', async () => {
      const refused = await new HttpClient({ baseUrl: service.url }).get('/reports/ticks');
      expect(refused.status).toBe(401);
      const request = get(`${service.url}/reports/ticks`, { headers: { 'X-API-Key': service.adminKey } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
      response.setEncoding('utf8');
      ticks.next({ data: { tick: 1 } });
      let text = '';
      while (!text.endsWith('\n\n')) text += String((await once(response, 'data'))[0]);
      expect(text).toContain('data: {"tick":1}\n');
      const gone = firstValueFrom(left);
      response.destroy();
      // A client may close its sending side alone. A write shows that it has left.
      const writing = interval(10).subscribe(() => ticks.next({ data: {} }));
      await gone;
      writing.unsubscribe();
    });
  },
);
