import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { breakingDifferences, referenceProblems } from '@items/testing';

import { startDescribedService, type DescribedService } from '../../service/testing/described-service.testing.js';

type Part = Record<string, unknown>;

/** Every object of a document. */
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

  it('has no reference that leads nowhere, and no component that nothing refers to', () => {
    expect(referenceProblems(document)).toEqual([]);
  });

  it('says what the whole document says, but for common headers, what HTTP refuses, and which error of a status is whose', () => {
    const differences = breakingDifferences(JSON.parse(JSON.stringify(service.served.document)), document);
    const left = /: the header (X-|RateLimit|Api-|Cache-|Content-Sec|Strict-|Vary|Access-|Referrer-)[\w-]* is gone$/;
    const others = differences.filter(
      (difference) =>
        !left.test(difference) &&
        !/no longer answered (408|417|431)$/.test(difference) &&
        !/, answer 4\d\d: the header [\w-]+ may now be left out$/.test(difference) &&
        !/: the code [\w.]+ is gone$/.test(difference),
    );
    expect(others).toEqual([]);
  });

  it('lists every code that an operation can answer with', () => {
    const { schemas } = document['components'] as { schemas: { ErrorCode: { enum: string[] } } };
    const responses = Object.values((document['components'] as { responses: Part }).responses);
    const codes = [...objectsOf(responses)].flatMap(
      ({ value }) => (value as { code?: string } | undefined)?.code ?? [],
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
