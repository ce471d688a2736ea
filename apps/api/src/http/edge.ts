import type { Config } from '../config/config.js';
import { accessLog } from '../logging/access-log.js';
import type { Log } from '../logging/log.js';
import { ClientErrors } from './client-errors.js';
import { Cors } from './cors.js';
import { FrontDoor } from './front-door.js';
import { Lifecycle } from './lifecycle.js';
import { RouteTable } from './route-table.js';

/** All that stands between the socket and Nest; it is there before the application is. */
export interface Edge {
  readonly lifecycle: Lifecycle;
  readonly clientErrors: ClientErrors;
  readonly frontDoor: FrontDoor;
  readonly cors: Cors;
}

export function createEdge(config: Config, log: Log): Edge {
  const lifecycle = new Lifecycle();
  const cors = new Cors(config.corsOrigins);
  const frontDoor = new FrontDoor({
    routes: new RouteTable(),
    cors,
    lifecycle,
    logAnswer: accessLog(log),
  });
  return { lifecycle, frontDoor, cors, clientErrors: new ClientErrors(log, config.tls !== undefined) };
}
