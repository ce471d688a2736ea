import { defineCollection } from '@items/collections';
import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';
import { collectionRoutes, ConventionsModule, createApp } from '@items/nest';
import { OpenApiModule } from '@items/openapi';
import { Schema } from '@items/store';
import { Module } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';

class BookDto {
  @Sortable() @Text({ min: 1, max: 200, trim: true }) title!: string;
  @Filterable() @Text({ min: 1, max: 100 }) author!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
const books = defineCollection({ name: 'books', singular: 'book', dto: BookDto, sortableTimes: ['created_at'] });

class CreateBooks1800000000000 {
  async up(runner: QueryRunner): Promise<void> {
    const { text, int } = new Schema(runner);
    await new Schema(runner).createCollection({
      table: 'books',
      columns: [`title ${text} NOT NULL`, `author ${text} NOT NULL`, `year ${int}`],
      sortable: [{ column: 'title' }, { column: 'year', nullable: true, ties: true }, { column: 'created_at' }],
      filters: ['author'],
    });
  }
  down = (runner: QueryRunner): Promise<void> => new Schema(runner).dropCollection('books');
}

const database = process.env['DATABASE_URL'] ?? 'sqlite:books.sqlite';
const conventions = ConventionsModule.forRoot({ database, migrations: [CreateBooks1800000000000] });
const documents = OpenApiModule.forRoot({ info: { title: 'Books', version: '1.0.0' } });
@Module({
  imports: [conventions, documents, ConventionsModule.forFeature(books)],
  providers: [collectionRoutes(books, { path: 'books' })],
})
class AppModule {}
const { app, stop } = await createApp(AppModule);
await app.listen(process.env['PORT'] ?? 3000, '127.0.0.1');
process.stdout.write(`Listening on ${await app.getUrl()}\n`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());
