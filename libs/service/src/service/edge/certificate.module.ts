import { Module } from '@nestjs/common';

import { inBackground } from '../../http/nest/in-background.js';
import { CertificateWatch } from './certificate-watch.js';

@Module({ providers: [CertificateWatch, inBackground(CertificateWatch)] })
export class CertificateModule {}
