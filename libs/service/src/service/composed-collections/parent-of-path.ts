import { Inject, Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { CollectionService } from '../../data/collections/collection-service.js';
import type { Identified } from '../../data/definition/collection.js';
import type { ParentKeys } from '../../data/definition/parent-keys.js';
import type { ReferenceTarget } from '../../data/definition/references.js';
import type { ParentOfRequest } from '../../http/nest/collection-pipeline.js';
import { collectionToken } from '../../http/nest/collection-token.js';

export function parentOfPath(parent: ReferenceTarget, column: string): Type<ParentOfRequest> {
  @Injectable()
  class ParentOfPath implements ParentOfRequest {
    constructor(@Inject(collectionToken(parent)) private readonly parents: CollectionService<Identified, object>) {}

    async keysOf(request: FastifyRequest): Promise<ParentKeys> {
      const id = String((request.params as Readonly<Record<string, unknown>>)[column]);
      await this.parents.get(id, undefined, () => request.callerId);
      return { [column]: id };
    }

    keysForNew(request: FastifyRequest): Promise<ParentKeys> {
      return this.keysOf(request);
    }
  }
  return ParentOfPath;
}
