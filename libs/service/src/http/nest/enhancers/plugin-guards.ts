import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

import type { ControllerMethod } from '../route-config.js';
import type { Guard, RouteEnhancers } from './route-enhancers.js';

/**
 * The class that guards see for requests without a controller: `route` for a Fastify plugin, `upgrade` for WebSocket.
 */
@Injectable()
export class PluginRoutes {
  route(): void {
    // Never called. Guards see its name.
  }

  upgrade(): void {
    // Never called. Guards see its name.
  }
}

export class PluginGuards {
  /** Plugin routes that were added before the guards existed. */
  private readonly routes: RouteOptions[] = [];
  private guards: { readonly route: Guard | undefined; readonly upgrade: Guard | undefined } | undefined;

  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', (route) => {
      if (route.config?.handledBy !== undefined) return;
      if (this.guards === undefined) this.routes.push(route);
      else guardBy(this.guards.route, route);
    });
  }

  /** Call it once, when all global guards exist and before Fastify is ready. */
  prepare(enhancers: RouteEnhancers): void {
    const guardOf = (name: keyof PluginRoutes): Guard | undefined =>
      enhancers.guardOf(PluginRoutes, Reflect.get<object, string>(PluginRoutes.prototype, name) as ControllerMethod);
    this.guards = { route: guardOf('route'), upgrade: guardOf('upgrade') };
    for (const added of this.routes) guardBy(this.guards.route, added);
  }

  async admitUpgrade(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.guards?.upgrade?.(request, reply);
  }
}

function guardBy(guard: Guard | undefined, route: RouteOptions): void {
  if (guard === undefined) return;
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await guard(request, reply);
  };
  route.onRequest = [route.onRequest ?? [], onRequest].flat();
}
