import { Module } from '@nestjs/common';

import { inBackground } from '../../http/nest/in-background.js';
import { CertificateWatch } from './certificate-watch.js';

/** Serves new files of `TLS_CERT` and `TLS_KEY` without a restart. */
@Module({ providers: [CertificateWatch, inBackground(CertificateWatch)] })
export class CertificateModule {}
