import { startService } from '@items/service';

import { authors, books, loans } from './books.js';

const { url } = await startService({ collections: [authors, books, loans] });
process.stdout.write(`Books are served at ${url}/books.\n`);
