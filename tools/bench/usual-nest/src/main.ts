import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';

import { AppModule } from './app.module.js';

const [file = ''] = process.argv.slice(2);
const app = await NestFactory.create(AppModule.on(file), { logger: false });
await app.listen(0, '127.0.0.1');
process.send?.({ address: await app.getUrl() });
