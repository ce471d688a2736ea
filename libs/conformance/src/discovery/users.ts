import { type CheckContext } from '../context.js';
import { idOf } from '../pages/rows.js';
import { fieldsOf } from '../service/exchange.js';

export async function discoverUsers(context: CheckContext): Promise<void> {
  const { service, found } = context;
  const list = await service.get('/users');
  const { users, items } = fieldsOf(list.json);
  const rows = [users, items].find((one) => Array.isArray(one)) as unknown[] | undefined;
  if (list.status !== 200 || rows === undefined) {
    found.lacks('users', `the service shows no users (GET /users answers ${list.status})`);
    found.lacks('orders', `the service shows no users (GET /users answers ${list.status})`);
    return;
  }
  const first = rows.map(idOf).find((id) => id !== '');
  if (first === undefined) return found.lacks('orders', 'there is no user whose orders could be asked for');
  found.ordersPath = `/users/${encodeURIComponent(first)}/orders`;
  const orders = await service.get(found.ordersPath);
  if (orders.status !== 200) found.lacks('orders', `GET ${found.ordersPath} answers ${orders.status}`);
}
