import 'reflect-metadata';

import { runAdmin } from '@items/service/admin';

import { AppModule } from './app.module.js';

await runAdmin(AppModule);
