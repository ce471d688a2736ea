import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ItemInputDto } from '@items/dtos';
import { InvalidQueryError, ResourceNotFoundError } from '@items/conventions';
import { JsonBody, ListQuery } from '@items/fields/nest';
import { keyset, type ListRequestAt, textFilter } from '@items/paging';
import { Controller, Delete, Get, HttpCode, Param, ParseIntPipe, Post, Put, Res } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { Item } from './item.entity.js';

const RULES = { sortable: ['name', 'price'], filters: { color: textFilter({ max: 30 }) } };
const secret = process.env['CURSOR_SECRET'] ?? 'for development';
const mac = (bytes: Uint8Array): Uint8Array => createHmac('sha256', secret).update(bytes).digest();
const Id = (): ParameterDecorator => Param('id', new ParseIntPipe({ exceptionFactory: () => noItem() }));
const PASS_ON = { passthrough: true };
const noItem = (): Error => new ResourceNotFoundError('item');

@Controller('items')
export class ItemsController {
  private readonly items: Repository<Item>;
  constructor(source: DataSource) {
    this.items = source.getRepository(Item);
  }

  @Get()
  async list(@ListQuery(RULES) request: ListRequestAt, @Res(PASS_ON) response: ServerResponse): Promise<object> {
    // With another order, a walk could skip rows whose price changes meanwhile.
    if (request.style === 'cursor' && request.sort.length > 0)
      throw new InvalidQueryError('sort', 'not_allowed', 'By cursor, "sort" must be left out.');
    const { body, link } = await keyset(this.items.createQueryBuilder('item'), request, { mac, ttl: 3600 });
    if (link !== undefined) response.setHeader('Link', link);
    return body;
  }

  @Post()
  create(@JsonBody(ItemInputDto) input: ItemInputDto): Promise<Item> {
    return this.items.save(this.items.create(input));
  }

  @Get(':id')
  async get(@Id() id: number): Promise<Item> {
    const item = await this.items.findOneBy({ id });
    if (item === null) throw noItem();
    return item;
  }

  @Put(':id')
  async replace(@Id() id: number, @JsonBody(ItemInputDto) input: ItemInputDto): Promise<Item> {
    return this.items.save(this.items.merge(await this.get(id), input));
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(@Id() id: number): Promise<void> {
    if ((await this.items.delete(id)).affected === 0) throw noItem();
  }
}
