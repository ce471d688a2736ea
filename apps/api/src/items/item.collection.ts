import { ItemInputDto } from '@items/dtos';
import { collection } from '@items/service';

export const items = collection({ name: 'items', singular: 'item', input: ItemInputDto, events: true });
