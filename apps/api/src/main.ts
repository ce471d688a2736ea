import { runService } from '@items/service/run-service';

await runService(async () => (await import('./composition.js')).composition);
