import { defineCollection } from '../../data/definition/define-collection.js';
import type { Delivery } from '@items/dtos/contract';
import { DeliveryDto } from '@items/dtos';
import type { HiddenDelivery } from '../deliveries/delivery-rows.js';

export const deliveryCollection = defineCollection<DeliveryDto, Delivery, HiddenDelivery>({
  name: 'deliveries',
  singular: 'delivery',
  dto: DeliveryDto,
  onlyFromPrimary: true,
  parent: 'webhook_id',
  sortableTimes: ['created_at'],
  hidden: ['tries', 'asked_at', 'status_before'],
});
