import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { API_VERSION, API_VERSIONS } from '@items/contracts';
import { breakingDifferences } from '@items/openapi';

import { startDescribedService, type DescribedService } from './openapi/described-service.testing.js';
import { versions } from './versions/versions.js';

const FOLDER = join(__dirname, '../../../docs/openapi');

type Document = { readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>> };

function releasedDocument(version: string): Document {
  return JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8')) as Document;
}

describe('SPEC §9: each released document is kept, and nothing breaking differs from it', () => {
  let service: DescribedService;
  beforeAll(async () => {
    service = await startDescribedService();
  });
  afterAll(() => service.close());

  const servedDocument = async (version: string): Promise<Document> =>
    (await service.client.get('/openapi.json', ['Api-Version', version])).json() as Document;

  it('there is one of each version, and of no other', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(API_VERSIONS.map(({ version }) => `${version}.json`));
  });

  it.each(versions.supported)('what is served for %s keeps what was released', async (version) => {
    expect(breakingDifferences(releasedDocument(version), await servedDocument(version))).toEqual([]);
  });

  it('what would break a client is found in the whole document', async () => {
    const served = await servedDocument(API_VERSION);
    delete served.paths['/items/{id}']?.['put'];
    const answers = served.paths['/users/{user_id}/orders']?.['post']?.responses;
    if (answers !== undefined) delete answers['409'];
    const text = JSON.stringify(served).replaceAll('"unit_price"', '"price_each"');
    const found = breakingDifferences(releasedDocument(API_VERSION), JSON.parse(text));
    expect(found).toContain('PUT /items/{id} is gone');
    expect(found).toContain('POST /users/{user_id}/orders: it is no longer answered 409');
    expect(found.join('\n')).toContain(
      'GET /orders, answer 200: the field orders[]: the field lines[]: the field unit_price is gone',
    );
  });
});
