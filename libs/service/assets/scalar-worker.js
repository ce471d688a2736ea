import { parentPort } from 'node:worker_threads';

import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

// The package holds Scalar's script in no file of its own: its plugin serves it. The 9 MB that this takes go with the thread.
const app = fastify();
await app.register(scalar, { routePrefix: '/scalar', configuration: { url: '/' } });
const { rawPayload } = await app.inject('/scalar/js/scalar.js');
parentPort?.postMessage(rawPayload);
