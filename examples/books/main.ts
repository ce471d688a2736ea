import { startService } from '@items/service';

import { books } from './books.js';

const { url } = await startService({ collections: [books] });
process.stdout.write(`Books are served at ${url}/books.\n`);
