import { ApiKeyEntity } from '../api-keys/api-key.entity.js';
import { ItemEntity } from '../items/item.entity.js';
import { ClientEntity } from '../oauth/clients/client.entity.js';
import { GrantEntity } from '../oauth/grants/grant.entity.js';
import { SessionEntity } from '../oauth/sessions/session.entity.js';
import { OrderEntity } from '../orders/order.entity.js';
import { TransitionEntity } from '../orders/transition.entity.js';
import { UserEntity } from '../users/user.entity.js';

/** Every entity: TypeORM knows the tables from here. */
export const entities = [
  ApiKeyEntity,
  ClientEntity,
  GrantEntity,
  ItemEntity,
  OrderEntity,
  SessionEntity,
  TransitionEntity,
  UserEntity,
];
