import {
  Body,
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Post,
  Put,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';

import { ItemEntity } from './item.entity.js';
import { ItemDto, ListItemsDto } from './items.dto.js';
import { ITEMS } from './repositories.js';

@Controller('items')
@UseGuards(AuthGuard('api-key'))
export class ItemsController {
  constructor(@Inject(ITEMS) private readonly items: Repository<ItemEntity>) {}

  @Get(':id')
  async get(@Param('id') id: string): Promise<ItemEntity> {
    const item = await this.items.findOneBy({ id });
    if (item === null) throw new NotFoundException();
    return item;
  }

  @Get()
  async list(@Query() { page, per_page: take, sort }: ListItemsDto): Promise<object> {
    const order = { [sort]: 'ASC', id: 'ASC' } as const;
    const [items, total] = await this.items.findAndCount({ order, take, skip: (page - 1) * take });
    return { items, total, page, per_page: take };
  }

  @Post()
  async create(
    @Body() input: ItemDto,
    @Res({ passthrough: true }) response: { location(url: string): void },
  ): Promise<ItemEntity> {
    const now = Date.now();
    const item = this.items.create({ ...valuesOf(input), id: uuid(), created_at: now, updated_at: now });
    response.location(`/items/${item.id}`);
    return this.items.save(item);
  }

  @Put(':id')
  async replace(@Param('id') id: string, @Body() input: ItemDto): Promise<ItemEntity> {
    const item = await this.get(id);
    return this.items.save(this.items.merge(item, { ...valuesOf(input), updated_at: Date.now() }));
  }
}

function valuesOf({ name, description = null, color = null, price = null }: ItemDto): Partial<ItemEntity> {
  return { name, description, color, price: price === null ? null : Math.round(price * 100) };
}
