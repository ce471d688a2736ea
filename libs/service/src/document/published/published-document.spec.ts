import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { breakingDifferences, referenceProblems } from '@items/testing';

import { mapped } from './part.js';
import { publishedDocument } from './published-document.js';
import { startDescribedService, type DescribedService } from '../../service/testing/described-service.testing.js';

type Part = Record<string, unknown>;

const SOURCES = join(__dirname, '../..');
const CODE_OF_503 = /ServiceUnavailableError\(\s*'([a-z_]+)'/g;

function* objectsOf(value: unknown): Generator<Part> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Part;
  for (const child of Object.values(value)) yield* objectsOf(child);
}

describe('/openapi.json', () => {
  let service: DescribedService;
  let document: Part;
  beforeAll(async () => {
    service = await startDescribedService();
    document = (await service.client.get('/openapi.json')).json() as Part;
  });
  afterAll(() => service.close());

  it('is at most 200 kB, without extensions that are for tests', async () => {
    expect((await service.client.get('/openapi.json')).body.length).toBeLessThanOrEqual(200_000);
    const names = [...objectsOf(document)].flatMap((part) => Object.keys(part));
    const extensions = new Set(names.filter((name) => name.startsWith('x-')));
    expect([...extensions].sort()).toEqual(['x-currency', 'x-reached-by']);
  });

  it('lists the code of each 503 in the sources', () => {
    const files = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !/\.(spec|testing)\.ts$/.test(file));
    const texts = files.map((file) => readFileSync(join(SOURCES, file), 'utf8'));
    const codes = texts.flatMap((text) => Array.from(text.matchAll(CODE_OF_503), ([, code = '']) => code));
    const { schemas } = document['components'] as { schemas: { ErrorCode: { enum: string[] } } };
    expect(codes).toContain('maintenance');
    expect(codes.filter((code) => !schemas.ErrorCode.enum.includes(code))).toEqual([]);
  });

  it('names its components by identifiers that differ also without case', () => {
    const { securitySchemes: _, ...named } = document['components'] as Record<string, object>;
    for (const [kind, components] of Object.entries(named)) {
      const names = Object.keys(components);
      expect([kind, names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))]).toEqual([kind, []]);
      expect([kind, new Set(names.map((name) => name.toLowerCase())).size]).toEqual([kind, names.length]);
    }
    const { schemas = {}, responses = {}, parameters = {} } = named;
    const typed = [schemas, responses, parameters].flatMap((components) => Object.keys(components));
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['BadRequest', 'NotFound', 'BadRequestPage']));
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['ItemName', 'ItemPrice', 'Ignored']));
    expect(typed.filter((name) => /\d$/.test(name))).toEqual([]);
  });

  it('names them independently of the order of its paths, schemas and parameters', () => {
    const whole = JSON.parse(JSON.stringify(service.served.document)) as Part;
    const reversed = (part: unknown): Part => Object.fromEntries(Object.entries(part as Part).reverse());
    const components = mapped(reversed(whole['components']), (kind) => reversed(kind));
    const turned = publishedDocument({
      ...whole,
      paths: reversed(whole['paths']),
      components,
    } as unknown as typeof service.served.document);
    const namesIn = (part: Part): string[] =>
      Object.values(part['components'] as Part)
        .flatMap((kind) => Object.keys(kind as Part))
        .sort();
    expect(namesIn(turned)).toEqual(namesIn(document));
  });

  it('gives each schema a type', () => {
    const { schemas } = document['components'] as Part;
    const untyped = [...objectsOf([schemas, document['paths']])].filter(
      (part) => ('const' in part || 'enum' in part || 'readOnly' in part || 'properties' in part) && !('type' in part),
    );
    expect(untyped.filter((part) => !('schema' in part) && !('in' in part))).toEqual([]);
  });

  it('has no broken reference, and no unused component', () => {
    expect(referenceProblems(document)).toEqual([]);
  });

  it('equals the whole document, except for common headers, HTTP errors, and the codes per operation', () => {
    const differences = breakingDifferences(JSON.parse(JSON.stringify(service.served.document)), document);
    const left = /: the header (X-|RateLimit|Api-|Cache-|Content-Sec|Strict-|Vary|Access-|Referrer-)[\w-]* is gone$/;
    const others = differences.filter(
      (difference) =>
        !left.test(difference) &&
        !/no longer answered (408|417|431)$/.test(difference) &&
        !/, answer 4\d\d: the header [\w-]+ may now be left out$/.test(difference) &&
        !/: the code [\w.]+ is gone$/.test(difference) &&
        // The published document adds types: that of a constant, or all types of a read-only field.
        !/ was anything and is (number|string or number or boolean or object or array or null)$/.test(difference),
    );
    expect(others).toEqual([]);
  });

  it('requires quota headers only on routes that are counted', () => {
    const { paths, components } = document as { paths: Part; components: { responses: Part } };
    const headersOf = (path: string, status: string): string[] => {
      const { get } = paths[path] as { get: { responses: Record<string, { $ref?: string; headers?: Part }> } };
      const { $ref = '', headers } = get.responses[status] ?? {};
      const response = headers === undefined ? components.responses[$ref.split('/').at(-1) ?? ''] : { headers };
      return Object.keys((response as { headers?: Part }).headers ?? {});
    };
    expect(headersOf('/items/{id}', '404')).toContain('X-RateLimit-Limit');
    for (const path of ['/docs/{asset}', '/docs/versions/{version}']) {
      expect(headersOf(path, '404')).not.toContain('X-RateLimit-Limit');
    }
  });

  it('lists every code of an operation', () => {
    const { schemas } = document['components'] as { schemas: { ErrorCode: { enum: string[] } } };
    const responses = Object.values((document['components'] as { responses: Part }).responses);
    const codes = [...objectsOf(responses)].flatMap(
      ({ code }) => (code as { enum?: string[] } | undefined)?.enum ?? [],
    );
    expect(new Set(codes).size).toBeGreaterThan(30);
    expect(codes.filter((code) => !schemas.ErrorCode.enum.includes(code))).toEqual([]);
  });

  it.each(['/openapi.json', '/docs', '/docs/scalar'])(
    '%s comes compressed, each coding with its ETag',
    async (start) => {
      const { text } = await service.client.get('/docs');
      const path = start === '/docs/scalar' ? `/${/docs\/scalar-[^"]+/.exec(text)?.[0] ?? ''}` : start;
      const plain = await service.client.get(path);
      const tags = new Set([plain.header('etag')]);
      expect([plain.header('content-encoding'), plain.header('vary')]).toEqual([undefined, 'Accept-Encoding']);
      for (const [accepted, coding, decode] of [
        ['gzip, deflate, br', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0, *', 'gzip', gunzipSync],
        ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
      ] as const) {
        const answer = await service.client.get(path, ['Accept-Encoding', accepted]);
        expect([answer.header('content-encoding'), answer.header('vary')]).toEqual([coding, 'Accept-Encoding']);
        expect(answer.body.length * 3).toBeLessThan(plain.body.length);
        expect(decode(answer.body).equals(plain.body)).toBe(true);
        const etag = answer.header('etag') ?? '';
        tags.add(etag);
        const again = await service.client.get(path, ['Accept-Encoding', accepted], ['If-None-Match', etag]);
        expect([again.status, again.header('etag'), again.header('content-encoding')]).toEqual([304, etag, undefined]);
        expect((await service.client.get(path, ['If-None-Match', etag])).status).toBe(200);
      }
      expect(tags.size).toBe(3);
      for (const accepted of ['identity', 'br;q=0, gzip;q=0', 'zstd', ''])
        expect(
          (await service.client.get(path, ['Accept-Encoding', accepted])).header('content-encoding'),
        ).toBeUndefined();
    },
  );
});
