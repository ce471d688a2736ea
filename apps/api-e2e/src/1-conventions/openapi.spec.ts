import { API_VERSION } from '@items/dtos/contract';

import { anonymous } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation | undefined>>;
  readonly components: { readonly securitySchemes: Record<string, { type: string; in?: string; name?: string }> };
}

interface Operation {
  readonly operationId?: string;
  readonly responses: Record<string, unknown>;
  readonly security?: readonly unknown[];
}

/** The table of §4 with the possible statuses of §7. */
const OPERATIONS: readonly [method: string, path: string, statuses: readonly string[]][] = [
  ['get', '/items', ['200', '400', '401', '403', '429', '500', '503']],
  ['post', '/items', ['201', '400', '401', '403', '409', '413', '415', '422', '429', '500', '503']],
  ['get', '/items/{id}', ['200', '304', '401', '403', '404', '429', '500', '503']],
  ['put', '/items/{id}', ['200', '400', '401', '403', '404', '412', '413', '415', '422', '429', '500', '503']],
  ['delete', '/items/{id}', ['204', '401', '403', '404', '412', '429', '500', '503']],
  ['get', '/api-keys', ['200', '400', '401', '403', '429']],
  ['post', '/api-keys', ['201', '400', '401', '403', '409', '422', '429']],
  ['get', '/api-keys/{id}', ['200', '304', '401', '403', '404', '429']],
  ['put', '/api-keys/{id}', ['200', '400', '401', '403', '404', '412', '422', '429']],
  ['delete', '/api-keys/{id}', ['204', '401', '403', '404', '412', '429']],
  ['get', '/health/live', ['200']],
  ['get', '/health/ready', ['200', '503']],
];

describe('OpenAPI 3.1 at /openapi.json', () => {
  let document: Document;

  beforeAll(async () => {
    const answer = await anonymous.get('/openapi.json');
    expectStatus(answer, 200);
    document = answer.json() as Document;
  });

  it('is of version 3.1 and names the version of the API', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe(API_VERSION);
  });

  it.each(OPERATIONS)('describes %s %s with every status', (method, path, statuses) => {
    const operation = document.paths[path]?.[method];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([...statuses]));
  });

  it('has a name for each operation', () => {
    const names = OPERATIONS.map(([method, path]) => document.paths[path]?.[method]?.operationId);
    expect(new Set(names).size).toBe(OPERATIONS.length);
    expect(names).not.toContain(undefined);
  });

  it('describes the API key', () => {
    const schemes = Object.values(document.components.securitySchemes);
    expect(schemes).toContainEqual(expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-API-Key' }));
  });
});
