import { NotOwnerError } from '@items/conventions';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { principalOf } from '../principal/request-principal.js';
import { KeyOwnersService } from './key-owners.service.js';

/**
 * Opens keys to their users and to administrators. Others get 403 before the body is read, even if the key does not
 * exist. SPEC §5.2
 */
@Injectable()
export class OwnKeyGuard implements CanActivate {
  constructor(private readonly keys: KeyOwnersService) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { isAdmin, userId, delegatedTo } = principalOf(request);
    // An application gets 404 from the service for keys that it did not create.
    if (isAdmin || delegatedTo !== undefined) return true;
    // A key of a credential without a user would belong to the operator.
    if (userId === null) throw new NotOwnerError();
    const { id } = request.params as { readonly id?: string };
    if (id !== undefined && (await this.keys.ownerOf(id)) !== userId) throw new NotOwnerError();
    return true;
  }
}
