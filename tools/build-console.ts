import { ensureConsoleBuilt } from './workspace/build-console.ts';

/* A part of `npm run build`: builds the page of the console into the assets of the service. */
await ensureConsoleBuilt();
