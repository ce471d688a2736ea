import { ItemInputDto } from '@items/dtos';
import { collection } from '@items/service';

/** The items of the service. SPEC §2, §4 */
export const items = collection({ name: 'items', singular: 'item', input: ItemInputDto, events: true });
