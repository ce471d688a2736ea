import { NotOwnerError } from '@items/conventions';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { principalOf } from '../principal/request-principal.js';
import { KeyOwnersService } from './key-owners.service.js';

/**
 * Lets a user reach their own keys, and an administrator all keys: 403 for others, whether or not there is such a key, and
 * before the body is read. SPEC §5.2
 */
@Injectable()
export class OwnKeyGuard implements CanActivate {
  constructor(private readonly keys: KeyOwnersService) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { isAdmin, userId, delegatedTo } = principalOf(request);
    // For an application, keys that it has not made are unknown, whosever they are.
    if (isAdmin || delegatedTo !== undefined) return true;
    // A credential that belongs to no user owns no key, and a key that it made would be the operator's.
    if (userId === null) throw new NotOwnerError();
    const { id } = request.params as { readonly id?: string };
    if (id !== undefined && (await this.keys.ownerOf(id)) !== userId) throw new NotOwnerError();
    return true;
  }
}
