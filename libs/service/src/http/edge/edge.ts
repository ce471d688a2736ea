import { ClientErrors } from '../connections/client-errors.js';
import { CONNECTION_LIMITS, Connections } from '../connections/connections.js';
import { Cors } from '../request/cors.js';
import type { EdgeLog, EdgeOptions } from '../edge-options.js';
import { FairnessKeys } from '../scheduling/fairness-keys.js';
import { Lifecycle } from '../connections/lifecycle.js';
import { RequestHooks } from './request-hooks.js';
import { RequestQueue } from '../scheduling/request-queue.js';
import { Upgrades } from '../connections/upgrades.js';
import { RouteTable } from '../request/route-table.js';
import { WarmUp } from './warm-up.js';

/** Everything between the socket and the application; created before the application. */
export interface Edge {
  readonly log: EdgeLog;
  readonly connections: Connections;
  readonly requestQueue: RequestQueue;
  readonly lifecycle: Lifecycle;
  readonly clientErrors: ClientErrors;
  readonly requestHooks: RequestHooks;
  readonly cors: Cors;
  readonly warmUp: WarmUp;
  readonly upgrades: Upgrades;
  readonly versions: EdgeOptions['versions'];
  readonly basePath: string;
}

export function createEdge(options: Partial<EdgeOptions> = {}): Edge {
  const whole: EdgeOptions = {
    log: { info: () => undefined, error: () => undefined },
    isHttps: false,
    cors: {},
    headers: {},
    versions: undefined,
    limits: CONNECTION_LIMITS,
    errorFormAt: () => undefined,
    alwaysAnswered: [],
    basePath: '',
    isLongPoll: () => false,
    fairnessKeys: new FairnessKeys(),
    maintenance: undefined,
    onAnswer: () => undefined,
    overload: undefined,
    isUpgradable: () => true,
    ...options,
  };
  const lifecycle = new Lifecycle();
  const cors = new Cors(whole.cors);
  const routes = new RouteTable();
  const connections = new Connections(whole.limits, whole.alwaysAnswered);
  const requestQueue = new RequestQueue(whole);
  const upgrades = new Upgrades(connections, whole.isUpgradable);
  const requestHooks = new RequestHooks({ ...whole, cors, lifecycle, routes, upgrades });
  const clientErrors = new ClientErrors({ ...whole, routes });
  const warmUp = new WarmUp(routes, lifecycle, connections);
  const { log, versions, basePath } = whole;
  const parts = { connections, requestQueue, lifecycle, requestHooks, cors, warmUp, upgrades, clientErrors };
  return { ...parts, log, versions, basePath };
}
