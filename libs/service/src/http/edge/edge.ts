import type { FastifyInstance } from 'fastify';

import type {} from '../base-path.js';
import { installBodyParser } from '../body/read-body.js';
import { ClientErrors } from '../connections/client-errors.js';
import { CONNECTION_LIMITS, Connections } from '../connections/connections.js';
import { Cors } from '../request/cors.js';
import type { EdgeOptions } from '../edge-options.js';
import { FairnessKeys } from '../scheduling/fairness-keys.js';
import { Lifecycle } from '../connections/lifecycle.js';
import { RequestHooks } from './request-hooks.js';
import { RequestQueue } from '../scheduling/request-queue.js';
import { stopGracefully, type StopTimes } from '../connections/shutdown.js';
import { Upgrades } from '../connections/upgrades.js';
import { RouteTable } from '../request/route-table.js';
import { WarmUp } from './warm-up.js';

/** Everything between the socket and the app; created before the app. */
export interface Edge extends Pick<EdgeOptions, 'log' | 'versions' | 'basePath'> {
  readonly connections: Connections;
  readonly requestQueue: RequestQueue;
  readonly lifecycle: Lifecycle;
  readonly clientErrors: ClientErrors;
  readonly requestHooks: RequestHooks;
  readonly cors: Cors;
  readonly warmUp: WarmUp;
  readonly upgrades: Upgrades;
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
    alwaysServed: [],
    basePath: '',
    isLongPoll: () => false,
    fairnessKeys: new FairnessKeys(),
    maintenance: undefined,
    logResponse: () => undefined,
    overload: undefined,
    isUpgradable: () => true,
    ...options,
  };
  const lifecycle = new Lifecycle();
  const cors = new Cors(whole.cors);
  const routes = new RouteTable();
  const requestQueue = new RequestQueue(whole);
  const connections = new Connections(whole.limits, whole.alwaysServed, requestQueue);
  const upgrades = new Upgrades(connections, whole.isUpgradable);
  const requestHooks = new RequestHooks({ ...whole, cors, lifecycle, routes, upgrades });
  const clientErrors = new ClientErrors({ ...whole, routes });
  const warmUp = new WarmUp(routes, lifecycle, connections);
  const { log, versions, basePath } = whole;
  const parts = { connections, requestQueue, lifecycle, requestHooks, cors, warmUp, upgrades, clientErrors };
  return { ...parts, log, versions, basePath };
}

export type Stop = (times?: StopTimes) => Promise<void>;

/** @returns a function that stops gracefully; by default, it accepts connections for another second. */
export function installEdge(fastify: FastifyInstance, edge: Edge): Stop {
  const { server } = fastify;
  fastify.decorate('basePath', edge.basePath);
  installBodyParser(fastify);
  edge.requestHooks.install(fastify);
  // Nest has closed its WebSocket gateways by now. Other upgraded sockets would keep the server open.
  fastify.addHook('preClose', (done) => {
    edge.upgrades.cut();
    done();
  });
  return (times) => stopGracefully({ server, ...edge }, times);
}
