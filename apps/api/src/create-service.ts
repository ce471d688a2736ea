import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { AppModule } from './app.module.js';
import { Admission } from './auth/admission.js';
import { KeyOrigins } from './auth/api-key/key-origins.js';
import type { Config } from './config/config.js';
import { configureApp, createAdapter } from './configure-app.js';
import { createEdge } from './http/edge.js';
import type { Log } from './logging/log.js';
import { NestLog } from './logging/nest-log.js';

/** The whole service, ready to listen. */
export interface Service {
  readonly app: NestFastifyApplication;
  /** Serves what is under way, then closes everything, the database last. */
  readonly stop: () => Promise<void>;
}

/** Builds the service; the same for production and tests. */
export async function createService(config: Config, log: Log): Promise<Service> {
  const edge = createEdge(config, log);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config, log, edge.lifecycle),
    createAdapter(config, edge),
    { bodyParser: false, abortOnError: false, logger: new NestLog(log) },
  );
  const origins = app.get(KeyOrigins);
  edge.cors.alsoAllow(() => origins.all());
  const stopServing = configureApp(app, edge, log, app.get(Admission));
  return {
    app,
    stop: async () => {
      await stopServing();
      await app.close();
    },
  };
}
