import { ServiceUnavailableError } from '@items/conventions';
import { Lifecycle } from '../../http/connections/lifecycle.js';
import { json } from '../../document/description/media-types.js';
import { Operation } from '../../document/description/operation.js';
import { closed } from '../../document/description/resource-schemas.js';
import { Database } from '../../data/database/database.js';
import { databaseUnavailable } from '../../data/database/database-unavailable.js';
import { RedisLink } from '@items/throttling';
import { Get, Inject, type DynamicModule, Module } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.decorator.js';
import { Public } from '../../access/auth/decorators.js';
import { Uncounted } from '../../access/auth/route-access.js';
import { RedisModule } from '../../access/throttling/throttling.module.js';

interface Health {
  readonly status: 'ok';
  readonly redis?: 'ok' | 'unavailable';
}

const STATUS = { type: 'string', enum: ['ok'] };
const REDIS = {
  type: 'string',
  enum: ['ok', 'unavailable'],
  description: 'Absent if the service has no Redis. While Redis is unavailable, each instance counts quotas by itself.',
};
const HEALTHY = json(closed({ status: STATUS }));
const READY = json(closed({ status: STATUS, redis: REDIS }, ['status']));
const STOPPING = new ServiceUnavailableError('stopping', 'The service is about to stop.');

@PlainController('health', { guards: false })
@Uncounted()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
    @Inject(RedisLink) private readonly redis: RedisLink | null,
  ) {}

  /** Orchestrators restart a process that does not respond here. */
  @Get('live')
  @Public()
  @Operation({ tag: 'Health', summary: 'Whether the process runs', ending: 'plain', content: HEALTHY })
  live(): Health {
    return { status: 'ok' };
  }

  /**
   * Responds with 503 within 5 s after the database fails, and as soon as the service begins to stop. Redis is not
   * required.
   */
  @Get('ready')
  @Public()
  @Operation({
    tag: 'Health',
    summary: 'Whether the service can serve requests',
    ending: 'plain',
    content: READY,
    errors: [databaseUnavailable(), STOPPING],
  })
  async ready(): Promise<Health> {
    if (this.lifecycle.isStopping()) throw STOPPING;
    await this.database.ping();
    if (this.redis === null) return { status: 'ok' };
    return { status: 'ok', redis: (await this.redis.isAnswering()) ? 'ok' : 'unavailable' };
  }
}

@Module({ imports: [RedisModule], providers: [HealthController] })
export class HealthModule {
  static forRoot(lifecycle: Lifecycle): DynamicModule {
    return { module: HealthModule, providers: [{ provide: Lifecycle, useValue: lifecycle }] };
  }
}
