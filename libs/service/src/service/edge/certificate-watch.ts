import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from 'node:tls';

import { Inject, Injectable, Logger, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { BackgroundWork } from '../../data/background/background-work.js';
import { TLS_OPTIONS } from '../../http/edge/server.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { readTlsFiles } from '../../runtime/settings/tls-files.js';
import { inBackground } from '../../http/nest/in-background.js';

const PERIOD_MS = 5000;
/** Delay before an invalid pair is read again, because one file may not be written yet. */
const REREAD_MS = 1000;
const INVALID =
  'TLS_CERT and TLS_KEY are not a readable certificate and its key; still serving the former certificate, retrying in 5 s';

/** Serves new files of `TLS_CERT` and `TLS_KEY` without a restart. Open connections keep the former certificate. */
@Injectable()
export class CertificateWatch extends BackgroundWork {
  private readonly logger: Logger;
  private served: string | undefined;
  private isWarned = false;

  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const logger = new Logger(CertificateWatch.name);
    super(logger, PERIOD_MS, 'Could not read TLS_CERT and TLS_KEY; retrying in 5 s');
    this.logger = logger;
    this.served = config.tls?.cert;
  }

  protected async work(): Promise<void> {
    const paths = this.config.tlsPaths;
    if (paths === undefined) return;
    let pair = readTlsFiles(paths);
    if (pair === undefined) {
      await sleep(REREAD_MS);
      pair = readTlsFiles(paths);
    }
    if (pair === undefined) {
      if (!this.isWarned) this.logger.warn(INVALID);
      this.isWarned = true;
      return;
    }
    this.isWarned = false;
    if (pair.cert === this.served) return;
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.setSecureContext({ ...TLS_OPTIONS, ...pair });
    this.served = pair.cert;
    this.logger.log('TLS_CERT and TLS_KEY have changed: new connections get the new certificate');
  }
}

@Module({ providers: [CertificateWatch, inBackground(CertificateWatch)] })
export class CertificateModule {}
