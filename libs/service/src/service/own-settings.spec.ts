import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Sortable, Text } from '@items/fields';
import { freePort, HttpClient } from '@items/testing';

import { AdminKey } from '../access/auth/admin-key.js';
import { collection, type RunningService, startService } from '../index.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });

/** A trace collector that stores the received bodies. */
class Collector {
  private readonly received: Buffer[] = [];
  private readonly server: Server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => this.received.push(chunk));
    request.on('end', () => response.writeHead(200).end());
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  get text(): string {
    return Buffer.concat(this.received).toString('latin1');
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function start(settings: Readonly<Record<string, string>>): Promise<RunningService> {
  const own = { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'error', ...settings };
  return startService({ collections: [books], settings: own, signals: false });
}

function clientOf({ url, adminKey = '' }: RunningService): HttpClient {
  return new HttpClient({
    baseUrl: url,
    headers: [
      ['X-API-Key', adminKey],
      ['Connection', 'close'],
    ],
  });
}

describe('The name of a service', () => {
  it('begins its metrics and its cookies: the title of the document, else the first collection', async () => {
    const port = String(await freePort());
    const service = await start({ METRICS_PORT: port, BASE_URL: 'http://books.example' });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const headers = { Origin: 'http://books.example', 'Content-Type': 'application/x-www-form-urlencoded' };
    const logout = await fetch(`${service.url}/oauth/logout`, { method: 'POST', headers, redirect: 'manual' });
    await service.stop();
    expect(metrics).toContain('\nbooks_webhook_attempts_total');
    expect(metrics).not.toContain('items_');
    expect(logout.headers.get('set-cookie')).toMatch(/^books_login=;/);
  });
});

describe('Settings that are given to startService() act for that service', () => {
  it('OTEL_*: each sends its spans to its own collector, under its own name', async () => {
    const collectors = [new Collector(), new Collector()] as const;
    const urls = await Promise.all(collectors.map((collector) => collector.listen()));
    const services = await Promise.all(
      ['shop', 'cinema'].map((name, place) =>
        start({ OTEL_EXPORTER_OTLP_ENDPOINT: urls[place] ?? '', OTEL_SERVICE_NAME: name }),
      ),
    );
    const plain = await start({});
    const [shop, cinema] = services.map(clientOf);
    expect((await shop?.post('/books', { title: 'Emma' }))?.status).toBe(201);
    expect((await cinema?.get('/books'))?.status).toBe(200);
    await clientOf(plain).delete('/books/none');
    await Promise.all([...services, plain].map((service) => service.stop()));
    const [ofShop, ofCinema] = collectors.map(({ text }) => text);
    expect([ofShop?.includes('shop'), ofShop?.includes('POST /books')]).toEqual([true, true]);
    expect([ofCinema?.includes('cinema'), ofCinema?.includes('GET /books')]).toEqual([true, true]);
    expect([ofShop?.includes('cinema'), ofShop?.includes('GET /books')]).toEqual([false, false]);
    expect([ofCinema?.includes('shop'), ofCinema?.includes('POST /books')]).toEqual([false, false]);
    expect(`${ofShop ?? ''}${ofCinema ?? ''}`).not.toContain('DELETE');
    for (const collector of collectors) collector.close();
  });

  it('WARM_UP_MS: it sends requests to itself before it listens; a service in memory only if it is set', async () => {
    const lent = jest.spyOn(AdminKey.prototype, 'withTemporaryKey');
    const counts: number[] = [];
    for (const settings of [{}, { WARM_UP_MS: '0' }, { WARM_UP_MS: '300' }]) {
      const service = await start(settings);
      counts.push(lent.mock.calls.length);
      expect((await clientOf(service).get('/books')).json()).toMatchObject({ total: 0 });
      await service.stop();
    }
    expect(counts).toEqual([0, 0, 1]);
    lent.mockRestore();
  });
});
