import { openDatabase } from '../opening/open-database.js';

it.each([
  ['that has no SQLite', () => undefined],
  ['that cannot even be asked for it', undefined],
])('A Node %s is named, and not the database', async (_, getBuiltinModule) => {
  const former = process.getBuiltinModule;
  Object.assign(process, { getBuiltinModule });
  try {
    const opening = openDatabase({ dialect: 'sqlite', file: ':memory:' }, { migrations: [] });
    await expect(opening).rejects.toMatchObject({
      name: 'OldNodeError',
      message: `@items/service needs Node 22.16 or newer; this is ${process.versions.node}.`,
    });
  } finally {
    Object.assign(process, { getBuiltinModule: former });
  }
});
