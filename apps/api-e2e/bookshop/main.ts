import { Choice, DateTime, Filterable, Flag, Integer, Money, Optional, Reference, Sortable, Text } from '@items/fields';
import { collection, startService } from '@items/service';

class AuthorInput {
  @Sortable() @Text({ min: 1, max: 200 }) name!: string;
}
const authors = collection({ name: 'authors', singular: 'author', input: AuthorInput, events: true });

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
  @Filterable() @Text({ min: 10, max: 17 }) isbn!: string;
  @Filterable() @Reference(authors) author_id!: string;
  @Filterable() @Choice(['hardcover', 'paperback', 'e-book']) format!: string;
  @Sortable() @Optional() @Money() price!: number | null;
  @Sortable() @Integer({ min: 0, max: 100_000 }) stock!: number;
  @Filterable() @Flag() in_print!: boolean;
  @Sortable() @Optional() @DateTime() published_at!: string | null;
  @Optional() @Text({ max: 2000 }) blurb!: string | null;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput, unique: ['isbn'], events: true });

class QuoteInput {
  @Text({ min: 1, max: 500 }) text!: string;
}
const quotes = collection({ name: 'quotes', singular: 'quote', parent: authors, input: QuoteInput, events: true });

class NoteInput {
  @Text({ min: 1, max: 500 }) text!: string;
}
const notes = collection({ name: 'notes', singular: 'note', parent: 'users', input: NoteInput, events: true });

const info = { title: 'Bookshop', version: '1.0.0' };
const { url } = await startService({ collections: [authors, books, quotes, notes], info });
process.stdout.write(`Listening on ${url}\n`);
