import { startService } from '@items/service';

import { AppModule } from './app.module.js';
import { welcome } from './welcome.js';

const { url } = await startService(AppModule);
process.stdout.write(welcome(url));
