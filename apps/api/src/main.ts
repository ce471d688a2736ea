import { runService } from '@items/service/internal/process/run-service';

await runService(async () => (await import('./composition.js')).composition);
