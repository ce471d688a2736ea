import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everything, type Handler, type Item, rightService, serve } from '../testing/right-service.testing.js';
import { bareArray, deep, renamed, shaped, type Shape } from '../testing/shapes/shapes.testing.js';
import { main } from './main.js';
import { checksOf } from '../checks/all-checks.js';
import { namingOf } from '../naming/naming.js';
import { Translation } from '../service/translation.js';
import { namingOptionsOf } from './naming-options.js';

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const credentials = [
  ...['--header', `X-API-Key: ${everything.key ?? ''}`],
  ...['--read-only-header', `X-API-Key: ${everything.readOnlyKey ?? ''}`],
];

let summaries = 0;

async function run(handler: Handler, words: readonly string[], options: { columns?: number } = {}) {
  const service = await serve(handler);
  const stepSummary = file(`summary-${String((summaries += 1))}.md`, '');
  let [out, err] = ['', ''];
  const code = await main([service.url, ...credentials, ...words], {
    out: (text) => (out += text),
    err: (text) => (err += text),
    isTty: false,
    columns: options.columns,
    stepSummary,
    signal: new AbortController().signal,
  });
  await service.stop();
  return { code, out, err, summary: readFileSync(stepSummary, 'utf8') };
}

const right = (shape: Shape): Handler => shaped(shape, new Map<string, Item>());
const created200: Handler = (() => {
  const inner = rightService(everything, new Map<string, Item>());
  return (request) => {
    const answer = inner(request);
    return answer.status === 201 ? { ...answer, status: 200 } : answer;
  };
})();

describe('the names of a service', () => {
  const cases: readonly { name: string; shape: Shape; words: readonly string[] }[] = [
    {
      name: 'a bare array',
      shape: bareArray,
      words: [
        ...['--collection', '/api/v1/widgets', '--member', '', '--query', 'page=p,per_page=size'],
        ...['--sort', 'price', '--filter', 'color=green'],
      ],
    },
    {
      name: 'a deep body',
      shape: deep,
      words: [
        ...[
          '--collection',
          '/things',
          '--member',
          'data.rows',
          '--next-cursor',
          'meta.next',
          '--create',
          '{"title":"x"}',
        ],
        ...['--required', 'title', '--sort', 'rank', '--filter', 'kind=tool', '--query', 'cursor=after,sort=order'],
      ],
    },
    {
      name: 'another member',
      shape: renamed,
      words: ['--collection', 'widgets', '--member', 'data', '--total', 'meta.count'],
    },
  ];

  describe('names given by options', () => {
    let codes: readonly number[];
    beforeAll(async () => {
      // Concurrent, because most of a run is a pause between two requests.
      const all = await Promise.all(cases.map(({ shape, words }) => run(right(shape), words)));
      codes = all.map(({ code }) => code);
    });

    it.each(cases.map(({ name }, index) => [name, index] as const))('%s', (_, index) => {
      expect(codes[index]).toBe(0);
    });
  });

  it('may be in a file, and options override it', async () => {
    const map = file(
      'map.json',
      JSON.stringify({
        ...{ collection: '/things', member: 'rows', create: { title: 'x' }, required: 'title', sort: 'rank' },
        ...{ filter: 'kind=tool', query: { cursor: 'after', sort: 'order' }, next_cursor: 'meta.next', total: 'count' },
      }),
    );
    const runs = [[], ['--member', 'data.rows']].map((words) => run(right(deep), ['--map', map, ...words]));
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([1, 0]);
  });

  it('end with 2, and name the option to use, if a member needs other fields', async () => {
    const inner = right(renamed);
    const wanting: Handler = (request) =>
      request.method === 'POST' ? { status: 422, body: { error: 'title is required' } } : inner(request);
    const { code, out, err } = await run(wanting, ['--collection', '/widgets', '--member', 'data']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^No member could be created \(POST \/widgets answers 422: title is required\)\. Name what a member needs with --create and --required\.$/m,
    );
  });

  it('may use one field both as the required field and as the sort field', async () => {
    const inner = right(deep);
    const byTitle: Handler = (request) => {
      const order = request.query.get('order');
      if (order !== null && order !== 'title')
        return { status: 400, body: { error: `There is no order by ${order}.` } };
      return inner(request);
    };
    const words = [...(cases[1]?.words ?? []), '--sort', 'title', '--only', '4.sort,4.cursor.no-skips.by-price'];
    const { code, out } = await run(byTitle, words);
    expect(out).not.toContain('the service refuses');
    expect(out).toMatch(/§4 .* 2 passed/);
    expect(code).toBe(0);
  });

  it('are in the commands of the report', async () => {
    const inner = right(deep);
    const wrong: Handler = (request) => {
      const answer = inner(request);
      return answer.status === 201 ? { ...answer, status: 200 } : answer;
    };
    const { out } = await run(wrong, [...(cases[1]?.words ?? []), '--only', '4.create.status,4.cursor,4.list']);
    expect(out).toMatch(/curl -i -X POST 'http:\/\/127\.0\.0\.1:\d+\/things' .* -d '\{"title":"conformance-/);
  });

  it('are in the sentences of the seed specification', () => {
    const words = new Translation(namingOf(deep.naming));
    const sentences = checksOf('full').map(({ sentence }) => words.sentence(sentence));
    expect(
      sentences.filter((sentence) => /\/items(?![\w-])|`(name|color|price|next_cursor|cursor)`/.test(sentence)),
    ).toEqual([]);
    expect(sentences).toContain('GET `/things` answers 200 with a JSON object holding a `data.rows` array.');
    expect(sentences).toContain('A create request missing `title` answers 422.');
  });

  it('may be null for a bare array in a file', () => {
    expect(namingOptionsOf({ map: file('null.json', '{"member":null}') })).toEqual({ member: null });
  });

  it.each<[string, readonly string[], RegExp]>([
    ['the file is missing', ['--map', '/no/map.json'], /^\/no\/map\.json cannot be read\.$/],
    ['the file is not JSON', ['--map', file('none.json', '{')], /which --map names, is not JSON\.$/],
    ['the file has another name', ['--map', file('odd.json', '{"colour":"x"}')], /^There is no name `colour` in /],
    ['an example is not an object', ['--create', '[1]'], /^--create is not a JSON object\.$/],
    ['a filter has no value', ['--filter', 'color'], /^--filter is given as field=value\.$/],
    ['a parameter is unknown', ['--query', 'seite=p'], /^--query has no parameter seite: give page, /],
    ['a known id is unknown', ['--known', file('bad.txt', '4.create.stat')], /^There is no check 4\.create\.stat,/],
    ['there are no known ids', ['--known', '/no/known'], /^\/no\/known cannot be read\.$/],
  ])('end with 2 and one sentence if %s', async (_, words, sentence) => {
    const { code, out, err } = await run(right(deep), words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd().split('\n').at(-1)).toMatch(sentence);
  });
});

describe('known failures', () => {
  const known = (text: string): string[] => ['--known', file('known.txt', text)];

  it('are listed, and do not count as failures', async () => {
    const junit = join(folder, 'known.xml');
    const words = [...known('# accepted\n4.create.status # until March\n\n'), '--only', '4.create', '--junit', junit];
    const { code, out } = await run(created200, words);
    expect(code).toBe(0);
    expect(out).toContain('KNOWN 4.create.status §4 "Creating answers 201 Created."');
    expect(out).toContain('Conformant: 0 failed, 1 known.');
    expect(readFileSync(junit, 'utf8')).toMatch(/failures="0" skipped="1"[^]*<skipped message="known: expected 201;/);
  });

  it('are listed as fixed if they pass, and end with 1', async () => {
    const { code, out } = await run(created200, [
      ...known('4.create.status\n4.get.status'),
      '--only',
      '4.create,4.get',
    ]);
    expect(code).toBe(1);
    expect(out).toContain('FIXED 4.get.status');
    expect(out).toContain('Not conformant: 0 failed, 1 known, 1 fixed');
  });

  it('change nothing if they are not applicable', async () => {
    const { code, out } = await run(created200, [...known('2.orders.nested'), '--only', '2.orders,4.get']);
    expect(code).toBe(0);
    expect(out).toContain('(2.orders.nested)');
  });
});

describe('where the report goes', () => {
  it('a file gets whole commands, and a terminal at most one screen', async () => {
    const noisy = (): Handler => {
      const inner = rightService(everything, new Map<string, Item>());
      return (request) => {
        const answer = inner(request);
        return answer.status < 400 ? answer : { status: 418, text: '<p>' };
      };
    };
    const [whole, screen] = await Promise.all([
      run(noisy(), ['--seed', 'x'.repeat(10)]),
      run(noisy(), [], { columns: 100 }),
    ]);
    expect(whole.out).not.toContain('…\n');
    expect(screen.out.split('\n').length).toBeLessThanOrEqual(61);
  });

  it('a GitHub workflow gets errors, and tables in the step summary', async () => {
    const words = ['--only', '4.create', '--github'];
    const { out, summary } = await run(created200, words);
    expect(out).toMatch(
      /^::error title=§4 4\.create\.status::Creating answers 201 Created\.%0Aexpected 201; came 200 /m,
    );
    expect(out).toMatch(/^::notice title=Items conformance::http.* is not conformant \(4\.create\.status\): /m);
    expect(summary).toMatch(/^\| Section \| passed \| failed \|.*\n\| --- \| ---: \|/m);
    expect(summary).toMatch(/^\| §4 Endpoints and lists \| \d+ \| 1 \|/m);
    expect(summary).toMatch(/^\| failed \| 4\.create\.status \| Creating answers 201 Created\. \| 201 \| 200 /m);
    expect((await run(created200, ['--only', '4.create'])).summary).toBe('');
  });

  it('text of the service is not markup in the step summary', async () => {
    const inner = rightService(everything, new Map<string, Item>());
    const markup: Handler = (request) => {
      const answer = inner(request);
      return answer.status === 404 ? { status: 404, text: '<img src=x>|[a](http://b) `c`\n# d' } : answer;
    };
    const { summary } = await run(markup, ['--only', '7.body', '--github']);
    const [, came = ''] = /7\.body\.no-html \|.*\| (404 .*) \|$/m.exec(summary) ?? [];
    expect(came).toContain('&#60;img src=x&#62;&#124;');
    expect(came).not.toMatch(/[<>|`[\]]|#\s/);
  });

  it('a terminal gets lines of its width, and commands that a shell reads as one command', async () => {
    for (const columns of [60, 80, 133]) {
      const { out } = await run(created200, ['--only', '4.create'], { columns });
      expect(out.split('\n').filter((line) => line.length > columns)).toEqual([]);
      const [, command = ''] = /\n( {2}curl [^]*?)\n {2}expected /.exec(out) ?? [];
      const { stdout } = spawnSync('sh', ['-c', command.replace('curl', "printf '%s\\n'")], {
        env: { ITEMS_HEADER: 'X-API-Key: k' },
      });
      const words = stdout.toString().split('\n');
      expect(words.slice(0, 3)).toEqual(['-i', '-X', 'POST']);
      expect(words).toContain('X-API-Key: k');
      expect(words.find((word) => word.startsWith('{'))).toMatch(/^\{"name":"conformance-[\w-]+"\}$/);
    }
  });

  it('is one line with --summary', async () => {
    const { out } = await run(created200, ['--only', '4.create', '--summary']);
    expect(out).toMatch(/^http\S+ is not conformant \(4\.create\.status\): profile seed, [^\n]*\. Paging: [^\n]*\.\n$/);
  });

  it('SARIF has a rule and a result for each failure', async () => {
    const sarif = join(folder, 'report.sarif');
    await run(created200, ['--only', '4.create', '--sarif', sarif]);
    const log = JSON.parse(readFileSync(sarif, 'utf8')) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string; level: string }[] }[];
    };
    expect(log.version).toBe('2.1.0');
    expect(log.runs[0]?.tool.driver.rules.map(({ id }) => id)).toContain('4.create.status');
    expect(log.runs[0]?.results).toContainEqual(
      expect.objectContaining({
        ruleId: '4.create.status',
        level: 'error',
        locations: [
          expect.objectContaining({
            physicalLocation: { artifactLocation: { uri: 'items' }, region: { startLine: 1 } },
          }),
        ],
      }),
    );
  });
});
