import { inBackground } from '../../http/nest/in-background.js';
import { Maintenance } from '../../runtime/maintenance/maintenance-gate.js';
import { type DynamicModule, Module } from '@nestjs/common';

import { MaintenanceWatch } from './maintenance-watch.js';

@Module({ providers: [MaintenanceWatch, inBackground(MaintenanceWatch)] })
export class MaintenanceModule {
  static forRoot(maintenance: Maintenance): DynamicModule {
    return { module: MaintenanceModule, providers: [{ provide: Maintenance, useValue: maintenance }] };
  }
}
