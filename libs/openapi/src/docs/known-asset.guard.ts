import { RouteNotFoundError } from '@items/errors';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { assetNamed } from './assets.js';

/** The files of the page are paths, not members of a collection: an unknown one is told before its headers are judged. */
export class KnownAssetGuard implements CanActivate {
  /** @throws {RouteNotFoundError} 404 */
  canActivate(context: ExecutionContext): true {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { asset: string } }>>();
    if (assetNamed(params.asset) === undefined) throw new RouteNotFoundError();
    return true;
  }
}
