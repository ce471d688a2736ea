import 'reflect-metadata';
import '@nestjs/core';

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { reportReadiness, serveHealth } from '@items/health';
import { Lifecycle, MAX_UNACCEPTED, stopTimes, type StopTimes } from '@items/http';
import { stdoutLog } from '@items/logging';
import { listening } from '@items/processes';
import { ConfigError } from '@items/settings';

import { AdminKey } from '../auth/admin-key.js';
import { composed } from '../collections/composed.js';
import { type Config } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { readEnvironment } from '../config/read-environment.js';
import { createService } from '../create-service.js';
import { HealthController } from '../health/health.controller.js';
import { healthOptions } from './health-options.js';
import type { RunningService, ServiceOptions } from './service-options.js';
import { stopOnSignals } from './stop-on-signals.js';

const IN_MEMORY = 'sqlite::memory:';
/** How a service stops whose database ends with it: connections that wait for a next request are closed first. */
const AT_ONCE: StopTimes = { refuseNew: 0, closeIdle: 0, answerLate: 2_000, cut: 3_000 };

/** The same as `startService`, when everything is loaded. */
export async function startComposed({
  settings = {},
  signals = true,
  ...options
}: ServiceOptions): Promise<RunningService> {
  const env = { ...readEnvironment(), ...settings };
  const folder = env['DATABASE_URL'] === IN_MEMORY ? await mkdtemp(join(tmpdir(), 'items-service-')) : undefined;
  let closeHealth: (() => Promise<void>) | undefined;
  const discard = async (): Promise<void> => {
    await closeHealth?.();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const config: Config =
      folder === undefined
        ? loadConfig(env)
        : {
            ...loadConfig({ STOP_DELAY: '0', ...env, DATABASE_URL: `sqlite:${folder}/service.sqlite` }),
            isPrivate: true,
          };
    if (config.workers > 1) {
      throw new ConfigError('WORKERS', 'must be 1 or unset: startService() serves in one process', '1');
    }
    const log = stdoutLog(config.logLevel);
    // Before anything else: a start may take long, and is live meanwhile.
    const health = healthOptions(config, log);
    const servedHealth = health && (await listening('HEALTH_PORT', serveHealth(health)));
    closeHealth = servedHealth?.close;
    const { app, stop: stopServing } = await createService(composed(options), config, log);
    await app.init();
    const { port, host } = config;
    const url = await app.getHttpAdapter().getInstance().listen({ port, host, backlog: MAX_UNACCEPTED });
    if (servedHealth) reportReadiness(app.get(HealthController), app.get(Lifecycle).stopping, servedHealth.tell);
    let stopped: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      forget();
      stopped ??= stopServing(folder === undefined ? stopTimes(config.stopDelayMs) : AT_ONCE).then(discard);
      return stopped;
    };
    const forget = signals ? stopOnSignals(stop) : () => undefined;
    return { url, adminKey: config.adminApiKey ?? app.get(AdminKey, { strict: false }).made, app, stop };
  } catch (error) {
    await discard();
    throw error;
  }
}
