import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { logTo } from '../../runtime/logging/log.js';
import { ServedDocument } from '../../document/served/served-document.js';
import { HttpClient } from '@items/testing';

import type { Config } from '../../runtime/config/config.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { createService } from './fixture.testing.js';

export interface DescribedService {
  /** Unique routes, such as `GET /items/{id}`. */
  readonly routes: readonly string[];
  readonly served: ServedDocument;
  readonly client: HttpClient;
  close(): Promise<void>;
}

export async function startDescribedService(changes: Partial<Config> = {}): Promise<DescribedService> {
  const folder = mkdtempSync(join(tmpdir(), 'items-openapi-'));
  const key = 'k'.repeat(32);
  const config = loadConfig({ DATABASE_URL: `sqlite:${folder}/items.sqlite`, ADMIN_API_KEY: key, PORT: '0' });
  const { app } = await createService({ ...config, ...changes }, logTo({ write: () => undefined }));
  const routes = new Set<string>();
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.add(`${each} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    });
  await app.listen(0, '127.0.0.1');
  const baseUrl = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return {
    routes: [...routes],
    served: app.get(ServedDocument, { strict: false }),
    client: new HttpClient({ baseUrl, headers: [['X-API-Key', key]] }),
    close: async () => {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}
