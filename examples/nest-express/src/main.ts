import 'reflect-metadata';
import { ErrorFilter } from '@items/exception-filter';
import { Sqlite } from '@items/service/store';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Item } from './item.entity.js';
import { ItemsController } from './items.controller.js';

const database = process.env['DATABASE'] ?? ':memory:';
const tables = { entities: [Item], synchronize: true };
const source = new DataSource({ type: 'better-sqlite3', driver: Sqlite, database, ...tables });

@Module({
  controllers: [ItemsController],
  providers: [{ provide: DataSource, useFactory: () => source.initialize() }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { rawBody: true, logger: ['error', 'warn'] });
app.useGlobalFilters(new ErrorFilter(app));
await app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
process.stdout.write(`Listening on ${await app.getUrl()}\n`);
