import { Exclude, Expose, Transform } from 'class-transformer';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('plain')
export class ItemEntity {
  @Expose()
  @PrimaryColumn('text')
  id!: string;

  @Expose()
  @Column('text')
  name!: string;

  @Expose()
  @Column('text', { nullable: true })
  description!: string | null;

  @Expose()
  @Column('text', { nullable: true })
  color!: string | null;

  @Expose()
  @Transform(({ value }: { value: number | null }) => (value === null ? null : value / 100))
  @Column('integer', { nullable: true })
  price!: number | null;

  @Expose()
  @Transform(({ value }: { value: number }) => new Date(value).toISOString())
  @Column('integer')
  created_at!: number;

  @Expose()
  @Transform(({ value }: { value: number }) => new Date(value).toISOString())
  @Column('integer')
  updated_at!: number;
}

/** Keys of the authorized callers. */
@Entity('usual_keys')
export class KeyEntity {
  @Exclude()
  @PrimaryColumn('text')
  hash!: string;
}
