import type { DataSource } from 'typeorm';

import type { StoreLog } from '../outages/store-log.js';

export function logMigrations({ migrations }: Pick<DataSource, 'migrations'>, log: StoreLog): void {
  for (const migration of migrations) {
    const { name = migration.constructor.name } = migration;
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      const beganAtMs = performance.now();
      await up(runner);
      log.info({ migration: name, duration_ms: Math.round(performance.now() - beganAtMs) }, 'a migration has run');
    };
  }
}
