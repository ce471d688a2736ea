import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('items')
export class Item {
  @PrimaryGeneratedColumn()
  id!: number;
  @Column('text')
  name!: string;
  @Column('text', { nullable: true })
  description!: string | null;
  @Column('text', { nullable: true })
  color!: string | null;
  @Column('real', { nullable: true })
  price!: number | null;
}
