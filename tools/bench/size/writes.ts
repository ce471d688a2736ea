import { randomBytes } from 'node:crypto';

import type { openService } from './service-parts.ts';

interface Item {
  id: string;
  name: string;
  description: string;
  color: string;
}

interface Transaction {
  query(sql: string, params: unknown[]): Promise<[Item]>;
}

/**
 * Returns identical writes on the service's store and on the plain table. Each update reads the row that it replaces,
 * like a PUT. On the plain table, a transaction reads the row with a lock and replaces it.
 */
export async function writes({ database, store }: Awaited<ReturnType<typeof openService>>) {
  const sample: { id: string }[] = await database.query('SELECT id FROM plain ORDER BY price LIMIT 50000');
  const below = (bound: number) => Math.floor(Math.random() * bound);
  const anyId = () => sample[below(sample.length)]?.id;
  const own = () => ({ name: `name ${below(1e6)}`, description: 'd', color: `color ${below(9)}`, price: below(1e6) });
  const forUpdate = database.dialect === 'postgres' ? ' FOR UPDATE' : '';
  return [
    {
      name: 'update',
      service: () =>
        store.writeOne(anyId(), (tx: Transaction, row: Item) =>
          store.update(tx, row, {
            name: row.name,
            description: row.description,
            color: row.color,
            price: below(1e6),
          }),
        ),
      plain: () =>
        database.transaction(async (tx: Transaction) => {
          const [row] = await tx.query(`SELECT * FROM plain WHERE id = $1${forUpdate}`, [anyId()]);
          await tx.query(
            'UPDATE plain SET name = $2, description = $3, color = $4, price = $5, updated_at = $6 WHERE id = $1',
            [row.id, row.name, row.description, row.color, below(1e6), Date.now()],
          );
        }),
    },
    {
      name: 'insert',
      // Creates like a POST: on PostgreSQL, concurrent creations share one statement. ADR 70
      service: () => store.add({ own: own() }),
      plain: () =>
        database.autocommit((tx: Transaction) => {
          const { name, description, color, price } = own();
          return tx.query(
            `INSERT INTO plain (id, created_at, updated_at, name, description, color, price)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
            [uuidAt(Date.now()), Date.now(), Date.now(), name, description, color, price],
          );
        }),
    },
  ];
}

/** Creates a UUIDv7 for a time. RFC 9562 §5.7 */
function uuidAt(ms: number) {
  const time = ms.toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}
