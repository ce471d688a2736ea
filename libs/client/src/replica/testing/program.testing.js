import { readFileSync } from 'node:fs';
import { createClient } from '@items/client';
import { createReplica } from '@items/client/replica';
import { sqliteStore } from '@items/client/replica/sqlite';

// Keeps a copy in a file until the process is killed. The addresses of the service change, so a second file lists them.
const [file = '', addresses = '', apiKey = ''] = process.argv.slice(2);
const baseUrl = 'http://service.localhost';

/** @type {typeof fetch} */
const toAnyInstance = (url, init) => {
  const all = readFileSync(addresses, 'utf8').split(' ');
  const one = all[Math.floor(Math.random() * all.length)] ?? '';
  return fetch(String(url).replace(baseUrl, one), init);
};
const client = createClient({ baseUrl, auth: { apiKey }, fetch: toAnyInstance });
const replica = createReplica({
  source: client.items,
  store: sqliteStore(file, { owner: 'the test' }),
  onStatus: (status) => console.log(status),
  onError: (error) => console.error(error),
});
replica.subscribe(({ upserted }) => {
  for (const { id, price } of upserted) console.log(id, price);
});
await replica.start();
