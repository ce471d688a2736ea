import { inBackground } from '../../http/nest/in-background.js';
import { Module } from '@nestjs/common';

import { InstanceWatch } from './instance-watch.js';

@Module({ providers: [InstanceWatch, inBackground(InstanceWatch)], exports: [InstanceWatch] })
export class InstancesModule {}
