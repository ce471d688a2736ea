import { ServiceUnavailableError } from '@items/errors';
import { Controller, Get } from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';

import { Public } from '../auth/public.js';
import { Database } from '../database/database.js';
import { Lifecycle } from '../http/lifecycle.js';
import { json } from '../openapi/description/media-types.js';
import { Operation } from '../openapi/description/operation.js';
import { DATABASE_UNAVAILABLE } from '../openapi/document/route-errors.js';

interface Health {
  readonly status: 'ok';
}

const HEALTHY = json({
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok'] } },
  required: ['status'],
  additionalProperties: false,
});
const STOPPING = new ServiceUnavailableError('stopping', 'The service is about to stop.');

/** What supervisors and balancers ask. They have no credential, and no quota. */
@Controller('health')
@SkipThrottle()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** Whether the process answers at all; otherwise it wants a restart. */
  @Get('live')
  @Public()
  @Operation({ tag: 'Health', summary: 'Whether the process answers', ending: 'plain', content: HEALTHY })
  live(): Health {
    return { status: 'ok' };
  }

  /** Whether it can serve: 503 within 5 s without its database, and from the moment it is told to stop. */
  @Get('ready')
  @Public()
  @Operation({
    tag: 'Health',
    summary: 'Whether it can serve',
    ending: 'plain',
    content: HEALTHY,
    errors: [DATABASE_UNAVAILABLE, STOPPING],
  })
  async ready(): Promise<Health> {
    if (this.lifecycle.isStopping()) throw STOPPING;
    await this.database.ping();
    return { status: 'ok' };
  }
}
