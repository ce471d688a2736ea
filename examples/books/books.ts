import { collection } from '@items/service';
import { Filterable, Integer, Optional, Sortable, Text } from '@items/fields';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200, trim: true }) title!: string;
  @Filterable() @Text({ min: 1, max: 100 }) author!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
export const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });
