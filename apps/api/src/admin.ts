import 'reflect-metadata';

import { runAdmin } from '@items/service/internal/admin';

import { composition } from './composition.js';

await runAdmin(composition);
