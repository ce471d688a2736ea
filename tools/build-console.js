import { ensureConsoleBuilt } from './workspace/build-console.js';

/* A part of `npm run build`: the page of the console, among the assets of the service. */
await ensureConsoleBuilt();
