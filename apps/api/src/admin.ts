import 'reflect-metadata';

import { runAdmin } from '@items/service/admin';

import { composition } from './composition.js';

await runAdmin(composition);
