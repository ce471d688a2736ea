import { compositionOf } from '@items/service/collections';

import { AppModule } from './app.module.js';

/** Composition of the service, for tests that use its database without starting it. */
export const { composition } = compositionOf(AppModule);
