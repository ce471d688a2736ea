import { setTimeout as sleep } from 'node:timers/promises';

import { BackgroundWork } from '../../data/background/background-work.js';
import { Database } from '../../data/database/database.js';
import { inBackground } from '../../http/nest/in-background.js';
import { Inject, Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import { instanceName } from '../logging/log.js';
import { backupRecord, BACKUP_SETTING } from './backup-record.js';
import { GONE_MS, INSTANCE_PREFIX, instanceRecord, REPORT_MS, runningInstances } from './instance-record.js';

const REPORT = `INSERT INTO settings (name, value) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const REMOVE = 'DELETE FROM settings WHERE name = $1';
const READ = `SELECT name, value FROM settings WHERE name = '${BACKUP_SETTING}' OR name LIKE '${INSTANCE_PREFIX}%'`;
const REMOVE_MS = 1000;

/** Reports this instance in the database for `npm run admin -- check`, and reads the time of the latest backup. */
@Injectable()
export class InstanceWatch extends BackgroundWork implements OnModuleInit {
  /** Milliseconds since the epoch; undefined without a backup. */
  backupMadeAt: number | undefined;
  private readonly name = INSTANCE_PREFIX + instanceName();

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(new Logger(InstanceWatch.name), REPORT_MS, 'Could not report this instance; retrying in 60 s');
  }

  async onModuleInit(): Promise<void> {
    await this.runNow();
  }

  override async stop(): Promise<void> {
    await super.stop();
    const removal = this.database.relaxedTransaction((tx) => tx.query(REMOVE, [this.name]));
    await Promise.race([removal.catch(() => undefined), sleep(REMOVE_MS, undefined, { ref: false })]);
  }

  protected async work(): Promise<void> {
    const nowMs = Date.now();
    const rows = await this.database.query<{ name: string; value: string }>(READ);
    this.backupMadeAt = backupRecord(rows)?.madeAt;
    const running = new Set(runningInstances(rows, nowMs - GONE_MS).map(({ name }) => INSTANCE_PREFIX + name));
    const gone = rows.filter(({ name }) => name.startsWith(INSTANCE_PREFIX) && !running.has(name));
    const record = instanceRecord(this.config, this.database.use().pool?.max ?? 0, nowMs);
    await this.database.relaxedTransaction(async (tx) => {
      await tx.query(REPORT, [this.name, JSON.stringify(record)]);
      for (const { name } of gone) await tx.query(REMOVE, [name]);
    });
  }
}

@Module({ providers: [InstanceWatch, inBackground(InstanceWatch)], exports: [InstanceWatch] })
export class InstancesModule {}
