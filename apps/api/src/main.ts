import { runService } from '@items/service/run-service';

await runService(async () => (await import('./app.module.js')).AppModule);
