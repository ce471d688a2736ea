import { failStart, startService } from '@items/service';

import { AppModule } from './app.module.js';
import { welcome } from './welcome.js';

const { url } = await startService(AppModule).catch(failStart);
process.stdout.write(welcome(url));
