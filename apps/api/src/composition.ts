import { compositionOf } from '@items/service/collections';

import { AppModule } from './app.module.js';

/** The service without a process, for tests of its database. */
export const { composition } = compositionOf(AppModule);
