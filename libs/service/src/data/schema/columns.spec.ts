import { CollectionService } from '../collections/collection-service.js';
import { logTo } from '../../runtime/logging/log.js';
import type { Column } from './columns.js';
import { ModulesContainer } from '@nestjs/core';

import { allCollections, createService, type Service } from '../../service/testing/fixture.testing.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';

const COLUMNS = {
  sqlite: `SELECT name, "notnull" = 0 AS nullable FROM pragma_table_info($1)`,
  postgres: `SELECT column_name AS name, is_nullable = 'YES' AS nullable FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = $1`,
};

describeOnBothDatabases('The columns derived from the fields of a collection', (under) => {
  let service: Service;
  beforeAll(async () => {
    service = await createService({ ...loadConfig({}), database: under.config }, logTo({ write: () => undefined }));
  });
  afterAll(() => service.app.close());

  function lines(columns: readonly { readonly name: string; readonly nullable: unknown }[]): string[] {
    return columns.map(({ name, nullable }) => `${name}${nullable === true || nullable === 1 ? '?' : ''}`).sort();
  }

  it('equal the columns of the table made by the migrations, for every collection of the service', async () => {
    const providers = [...service.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.providers.values(),
    ]);
    const definitions = providers
      .map(({ instance }: { readonly instance: unknown }) => instance)
      .filter((instance) => instance instanceof CollectionService)
      .map(({ definition }) => definition);
    const { dialect } = under.database;
    const collections = 'SELECT DISTINCT collection FROM collection_lanes ORDER BY 1';
    const known = await under.database.query<{ collection: string }>(collections);
    expect(definitions.map(({ name }) => name).sort()).toEqual(known.map(({ collection }) => collection));
    expect(allCollections.map(({ name }) => name).sort()).toEqual(known.map(({ collection }) => collection));
    for (const { name, columns } of definitions) {
      const table = await under.database.query<Column>(COLUMNS[dialect], [name]);
      expect([name, ...lines(columns)]).toEqual([name, ...lines(table)]);
    }
  });
});
