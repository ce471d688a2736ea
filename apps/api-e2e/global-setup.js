import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import provideServers from '@items/testing/global-setup';
import { databases } from './databases.js';

/** File with the OpenAPI document of all services. */
let openApiFile;

/**
 * Starts one service for each database, which all specs share; a spec that needs another configuration starts its own.
 * With BASE_URL, creates a key with its own quota on that service instead. `harness/service.ts` reads the environment
 * variables that this sets.
 */
export default async function startServices() {
  await provideServers();
  const { startApp, HttpClient, FOLDER_OF_APPS } = await import('@items/testing');
  process.env[FOLDER_OF_APPS] = mkdtempSync(join(tmpdir(), 'items-apps-'));
  if (databases[0] === 'given') return useGiven(HttpClient);
  globalThis.sharedServices = await Promise.all(
    databases.map(async (database) => {
      const app = await startApp({ database });
      await share(database, { baseUrl: app.baseUrl, apiKey: app.adminKey, logFile: app.process.logFile });
      return app;
    }),
  );
}

async function useGiven(HttpClient) {
  const { SCOPES } = await import('@items/dtos/contract');
  const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env;
  if (!apiKey) throw new Error('BASE_URL needs API_KEY: a key of that service with every scope.');
  console.warn(`${baseUrl}: specs that start, configure or stop a service are skipped.`);
  const client = new HttpClient({ baseUrl, headers: [['X-API-Key', apiKey]], retriesAfter429: true });
  const answer = await client.post('/api-keys', {
    name: 'Black box tests',
    scopes: SCOPES,
    rate_limit: { requests: 1_000_000, seconds: 60 },
  });
  if (answer.status !== 201) throw new Error(`No key for the tests: ${answer.status} ${answer.text}`);
  const { id, key } = answer.json();
  globalThis.endGiven = () => client.delete(`/api-keys/${id}`);
  await share('given', { baseUrl, apiKey: key });
}

async function share(database, service) {
  openApiFile ??= saveDocument();
  process.env[`SERVICE_${database.toUpperCase()}`] = JSON.stringify({ ...service, openApiFile });
}

/** Save the whole OpenAPI document, to check every response; `/openapi.json` is shorter. */
function saveDocument() {
  const folder = mkdtempSync(join(tmpdir(), 'items-openapi-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'openapi.json');
  const script = join(import.meta.dirname, 'whole-document.js');
  writeFileSync(file, execFileSync(process.execPath, [script], { maxBuffer: 67_108_864 }));
  return file;
}
