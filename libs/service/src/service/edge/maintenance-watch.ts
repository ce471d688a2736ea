import { Maintenance } from '../../runtime/maintenance/maintenance-gate.js';
import { readMaintenance } from '../../admin/maintenance.js';
import { BackgroundWork } from '../../data/background/background-work.js';
import { Database } from '../../data/database/database.js';
import { Inject, Injectable, Logger, type OnModuleInit, type DynamicModule, Module } from '@nestjs/common';
import { inBackground } from '../../http/nest/in-background.js';

/** The maintenance mode must apply on all instances within 5 s. */
const PERIOD_MS = 2_000;

@Injectable()
export class MaintenanceWatch extends BackgroundWork implements OnModuleInit {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Maintenance) private readonly maintenance: Maintenance,
  ) {
    super(new Logger(MaintenanceWatch.name), PERIOD_MS, 'Could not read the maintenance mode; retrying in 2 s');
  }

  async onModuleInit(): Promise<void> {
    await this.runNow();
  }

  protected async work(): Promise<void> {
    this.maintenance.set(await readMaintenance(this.database));
  }
}

@Module({ providers: [MaintenanceWatch, inBackground(MaintenanceWatch)] })
export class MaintenanceModule {
  static forRoot(maintenance: Maintenance): DynamicModule {
    return { module: MaintenanceModule, providers: [{ provide: Maintenance, useValue: maintenance }] };
  }
}
