import type { AuditEvent } from '@items/dtos/contract';
import { AuditEvents } from '../../feed/audit/audit-events.js';
import { parseAuditQuery } from '../../feed/parse-events-query.js';
import { Lifecycle } from '../../http/connections/lifecycle.js';
import { Operation } from '../../document/description/operation.js';
import { Controller, Get, Param, Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { AccessHook } from '../../access/auth/access.hook.js';
import { RequireScope } from '../../access/auth/decorators.js';
import { Exchange, HttpExchange } from '../../access/exchange/http-exchange.js';
import { auditNotes } from './audit.openapi.js';

/** Lists changes with their authors, in the order of events. SPEC §6.3 */
export function auditController(types: readonly string[]): Type {
  const notes = auditNotes(types);

  @Controller('audit-events')
  class AuditController {
    constructor(
      private readonly audit: AuditEvents,
      private readonly access: AccessHook,
      private readonly lifecycle: Lifecycle,
    ) {}

    @Get()
    @RequireScope('audit:read')
    @Operation(notes.list)
    async list(@Exchange('with query') exchange: HttpExchange, @Req() request: FastifyRequest): Promise<object> {
      const { waitMs, ...query } = parseAuditQuery(exchange.query, types);
      let isChecked = true;
      // The access hook has checked the first read. Check later reads here, because access may change during the wait.
      const requireAccess = async (): Promise<void> => {
        if (!isChecked) await this.access.checkAgain(request, 'audit:read');
        isChecked = false;
      };
      const signals = [this.lifecycle.stopping, exchange.gone];
      const waiting = waitMs === 0 ? undefined : { waitMs, signals, onWait: exchange.rest };
      return exchange.list(await this.audit.page({ ...query, ...exchange.slowReader }, requireAccess, waiting));
    }

    @Get(':id')
    @RequireScope('audit:read')
    @Operation(notes.get)
    async get(@Exchange() exchange: HttpExchange, @Param('id') id: string): Promise<AuditEvent | undefined> {
      return exchange.tagged({ resource: await this.audit.get(id), etag: `"${id}"` });
    }
  }

  return AuditController;
}
