import { RouteNotFoundError } from '@items/conventions';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { PageFiles } from './page-files.js';

/** The files of the page are paths, not members of a collection: an unknown one is 404 before its headers are judged. */
@Injectable()
export class KnownAssetGuard implements CanActivate {
  constructor(private readonly files: PageFiles) {}

  /** @throws {RouteNotFoundError} 404 */
  async canActivate(context: ExecutionContext): Promise<true> {
    const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { asset: string } }>>();
    if ((await this.files.named(params.asset)) === undefined) throw new RouteNotFoundError();
    return true;
  }
}
