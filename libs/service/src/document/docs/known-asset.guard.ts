import { RouteNotFoundError } from '@items/conventions';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { PageFiles } from './page-files.js';

/** Responds with 404 to an unknown file before its headers are checked, as for any unknown path. */
@Injectable()
export class KnownAssetGuard implements CanActivate {
  constructor(private readonly files: PageFiles) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { asset: string } }>>();
    if ((await this.files.named(params.asset)) === undefined) throw new RouteNotFoundError();
    return true;
  }
}
