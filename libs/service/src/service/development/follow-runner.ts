import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/*
 * The runner of `items-dev` loads this module into the service. The service stops when the runner disconnects or dies.
 */
const CLOSE_INTERVAL_MS = 20;

const servers = new Set<Server>();
subscribe('http.server.request.start', (message) => servers.add((message as { readonly server: Server }).server));

/** Stops the service. Closes idle connections, because browsers would delay the end by four seconds. */
function stop(): void {
  setInterval(() => {
    for (const server of servers) server.closeIdleConnections();
  }, CLOSE_INTERVAL_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}

// Worker threads load this module too, and they have no channel to the runner.
if (isMainThread) {
  if (process.connected) process.once('disconnect', stop).channel?.unref();
  else stop();
}
