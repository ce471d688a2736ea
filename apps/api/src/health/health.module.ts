import { Module } from '@nestjs/common';

import { HealthController } from './health.controller.js';

/** `/health/live` and `/health/ready`. */
@Module({ controllers: [HealthController] })
export class HealthModule {}
