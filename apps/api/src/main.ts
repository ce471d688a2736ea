import { startService } from '@items/service';

import { AppModule } from './app.module.js';
import { welcome } from './welcome.js';

process.stdout.write(welcome(await startService(AppModule)));
