import { Filterable, Money, Optional, Sortable, Text } from '@items/fields';
import { Schema } from '../schema/schema.js';
import type { QueryRunner } from 'typeorm';

import { defineCollection, type Member } from '../definition/define-collection.js';

export class ItemDto {
  @Sortable()
  @Text({ max: 200 })
  name!: string;

  @Optional()
  @Text({ max: 2000 })
  description!: string | null;

  @Sortable()
  @Filterable()
  @Optional()
  @Text({ max: 30 })
  color!: string | null;

  @Sortable()
  @Optional()
  @Money()
  price!: number | null;
}

export type Item = Member<ItemDto>;

/** Two of its columns may be null, and have few values. */
export const itemCollection = defineCollection({ name: 'items', singular: 'item', dto: ItemDto });

export class CreateItems1700000000001 {
  readonly name = 'CreateItems1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { text, int } = schema;
    await schema.createCollection({
      table: 'items',
      columns: [`name ${text} NOT NULL`, `description ${text}`, `color ${text}`, `price ${int}`],
      sortable: [
        { column: 'name' },
        { column: 'color', nullable: true, ties: true },
        { column: 'price', nullable: true, ties: true },
        { column: 'created_at' },
        { column: 'updated_at' },
      ],
      filters: ['color'],
    });
  }
}
