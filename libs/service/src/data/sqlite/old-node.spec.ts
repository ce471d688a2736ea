import { openDatabase } from '../opening/open-database.js';

it.each([
  ['without node:sqlite', () => undefined],
  ['without getBuiltinModule', undefined],
])('The error for Node %s names its version, and not the database', async (_, getBuiltinModule) => {
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
