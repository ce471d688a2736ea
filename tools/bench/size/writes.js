import { randomBytes } from 'node:crypto';

/**
 * Identical writes with the service's store and on the plain table. Each reads the row that it replaces, like a PUT. On
 * the plain table, this is a transaction that locks the row.
 * @param {{ database: any, store: any }} service of {@link openService}.
 */
export async function writes({ database, store }) {
  /** @type {{ id: string }[]} */
  const sample = await database.query('SELECT id FROM plain ORDER BY price LIMIT 50000');
  const below = (/** @type {number} */ bound) => Math.floor(Math.random() * bound);
  const anyId = () => sample[below(sample.length)]?.id;
  const own = () => ({ name: `name ${below(1e6)}`, description: 'd', color: `color ${below(9)}`, price: below(1e6) });
  const forUpdate = database.dialect === 'postgres' ? ' FOR UPDATE' : '';
  return [
    {
      name: 'update',
      service: () =>
        store.writeOne(anyId(), (/** @type {any} */ tx, /** @type {any} */ row) =>
          store.update(tx, row, {
            name: row.name,
            description: row.description,
            color: row.color,
            price: below(1e6),
          }),
        ),
      plain: () =>
        database.transaction(async (/** @type {any} */ tx) => {
          const [row] = await tx.query(`SELECT * FROM plain WHERE id = $1${forUpdate}`, [anyId()]);
          await tx.query(
            'UPDATE plain SET name = $2, description = $3, color = $4, price = $5, updated_at = $6 WHERE id = $1',
            [row.id, row.name, row.description, row.color, below(1e6), Date.now()],
          );
        }),
    },
    {
      name: 'insert',
      // Same as a POST: on PostgreSQL, concurrent creations share one statement. ADR 70
      service: () => store.add({ own: own() }),
      plain: () =>
        database.autocommit((/** @type {any} */ tx) => {
          const { name, description, color, price } = own();
          return tx.query(
            `INSERT INTO plain (id, created_at, updated_at, name, description, color, price)
             VALUES ($1, $2, $3, $4, $5, $6, $7)`,
            [newId(), Date.now(), Date.now(), name, description, color, price],
          );
        }),
    },
  ];
}

function newId() {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomBytes(9).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}
