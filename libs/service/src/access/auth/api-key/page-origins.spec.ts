import type { Database } from '../../../data/database/database.js';
import { PageOrigins } from './page-origins.js';

describe('Origins of pages', () => {
  const rows: Record<string, object[]> = {
    api_keys: [{ found: '["https://shop.example","https://pos.example"]' }],
    clients: [
      { id: 'app', redirect_uris: '["https://app.example/callback","http://127.0.0.1/cb","com.example:/cb"]' },
      { id: 'other', redirect_uris: '["https://app.example/other"]' },
    ],
  };
  let reads = 0;
  const query = (sql: string): Promise<object[]> => {
    reads += 1;
    return Promise.resolve(rows[sql.includes('FROM clients') ? 'clients' : 'api_keys'] ?? []);
  };
  const origins = new PageOrigins({ query } as unknown as Database);

  it('are those of keys, and the https redirect addresses of each client without a secret', async () => {
    const { open, clients } = await origins.all();
    expect([...open].sort()).toEqual(['https://pos.example', 'https://shop.example']);
    expect([...clients]).toEqual([['https://app.example', new Set(['app', 'other'])]]);
  });

  it('are cached until a key or a client changes', async () => {
    const before = reads;
    await origins.all();
    expect(reads).toBe(before);
    origins.forget();
    await origins.all();
    expect(reads).toBe(before + 2);
  });
});
