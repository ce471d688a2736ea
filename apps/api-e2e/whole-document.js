import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo } from '../../libs/service/dist/runtime/logging/log.js';
import { ServedDocument } from '../../libs/service/dist/document/served/served-document.js';
import { compositionOf } from '../../libs/service/dist/service/process/composition-of.js';
import { AppModule } from '../api/dist/app.module.js';
import { loadConfig } from '../../libs/service/dist/runtime/config/load-config.js';
import { createService } from '../../libs/service/dist/service/create-service.js';

/*
 * Prints the whole OpenAPI document of the built service: the served document with all headers of responses, all errors
 * of operations, and the responses to other methods and paths. ADR 76
 */
const folder = mkdtempSync(join(tmpdir(), 'items-document-'));
const { BASE_URL = '' } = process.env;
const env = { BASE_URL, DATABASE_URL: `sqlite:${folder}/items.sqlite`, ADMIN_API_KEY: 'k'.repeat(32), PORT: '0' };
const { composition } = await compositionOf(AppModule);
const { app } = await createService(composition, loadConfig(env), logTo({ write: () => undefined }));
process.stdout.write(JSON.stringify(app.get(ServedDocument, { strict: false }).document));
await app.close();
rmSync(folder, { recursive: true });
