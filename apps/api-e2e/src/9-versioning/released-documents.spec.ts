import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { API_VERSION, API_VERSIONS } from '@items/dtos/contract';
import { breakingDifferences } from '@items/testing';

import { anonymous } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import { describeOnce, service } from '../harness/service.js';

const FOLDER = join(__dirname, '../../../../docs/openapi');

/**
 * Differences that §9 allows in every version: lower limits, which protect other clients. A page of orders was up to 9
 * MB: ADR 65.
 */
const GUARDS = [
  /: the parameter query \w+ has maxItems 32 instead of 1000$/,
  /^GET (\/users\/\{user_id\})?\/orders: the parameter query (per_page|limit) has maximum 20 instead of 100$/,
];

/**
 * Differences that older clients cannot notice: the secret is omitted only with a new field, and only pages load the
 * assets.
 */
const NEW_SITUATIONS = [
  /^POST \/clients(\/\{id\}\/rotations)?, answer 201: the field client_secret may now be left out$/,
  /^GET \/docs\/\{asset\}, answer 200: image\/png is gone$/,
];

type Document = { readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>> };

function releasedDocument(version: string): Document {
  return JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8')) as Document;
}

const SUPPORTED = API_VERSIONS.filter(({ end }) => end === undefined || Date.parse(end.on) > Date.now());

describeOnce('SPEC §9: released documents', () => {
  /** Returns the whole document of the current version, but the shorter served document of an older one. ADR 76 */
  const currentDocument = async (version: string): Promise<Document> => {
    if (version === API_VERSION) return JSON.parse(readFileSync(service.openApiFile ?? '', 'utf8')) as Document;
    const answer = await anonymous.get('/openapi.json', ['Api-Version', version]);
    expectStatus(answer, 200);
    return answer.json() as Document;
  };

  it('exist for each version and no other', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(API_VERSIONS.map(({ version }) => `${version}.json`));
  });

  it.each(SUPPORTED)(
    'the served document of $version has no breaking difference from the released document',
    async ({ version }) => {
      const found = breakingDifferences(releasedDocument(version), await currentDocument(version));
      expect(
        found.filter((difference) => ![...GUARDS, ...NEW_SITUATIONS].some((known) => known.test(difference))),
      ).toEqual([]);
    },
  );

  it('a breaking change is found anywhere in the document', async () => {
    const served = await currentDocument(API_VERSION);
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
