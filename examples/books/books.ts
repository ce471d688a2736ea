import { ConflictError } from '@items/conventions';
import { DefaultsTo, Filterable, Flag, Integer, Optional, Reference, Sortable, Text } from '@items/fields';
import { collection } from '@items/service';

class AuthorInput {
  @Sortable() @Text({ min: 1, max: 100, trim: true }) name!: string;
}
export const authors = collection({
  name: 'authors',
  singular: 'author',
  input: AuthorInput,
  unique: ['name'],
  events: true,
});

class BookInput {
  @Sortable() @Text({ min: 1, max: 200, trim: true }) title!: string;
  @Optional() @Text({ min: 10, max: 17 }) isbn!: string | null;
  @Filterable() @Reference(authors) author_id!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
/** Set by the rules of loans. */
class BookFields {
  @Filterable() @DefaultsTo(false) @Flag() lent!: boolean;
}
export const books = collection({
  name: 'books',
  singular: 'book',
  input: BookInput,
  fields: BookFields,
  unique: ['isbn'],
  events: true,
  rules: {
    remove: ({ lent }) => {
      if (lent) throw new ConflictError('book_lent', 'A lent book cannot be deleted.');
    },
  },
});

class LoanInput {
  @Filterable() @Reference(books, { onDelete: 'keep' }) book_id!: string;
  @Text({ min: 1, max: 100, trim: true }) reader!: string;
}
export const loans = collection({
  name: 'loans',
  singular: 'loan',
  input: LoanInput,
  methods: ['list', 'create', 'get', 'remove'],
  events: true,
  rules: {
    create: async ({ book_id }, { tx }) => {
      if ((await books.get(tx, book_id)).lent) throw new ConflictError('book_lent', 'This book is lent.');
      await books.update(tx, book_id, { lent: true });
    },
    remove: async ({ book_id }, { tx }) => {
      await books.update(tx, book_id, { lent: false });
    },
  },
});
