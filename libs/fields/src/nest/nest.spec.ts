import { ApiError, type ErrorBody, InternalError } from '@items/conventions';
import { type ListRequestAt, textFilter } from '@items/paging';
import { type ArgumentsHost, Catch, Controller, Get, type INestApplication, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { Optional, ReadOnly } from '../presence.js';
import { Text } from '../text.js';
import { JsonBody, ListQuery } from './index.js';

@ReadOnly('id')
class CatDto {
  @Text({ min: 1, max: 20, trim: true })
  name!: string;

  @Optional()
  @Text({ max: 20 })
  color!: string | null;
}

const RULES = { sortable: ['name'], filters: { color: textFilter({ max: 20 }) } };

@Controller('cats')
class CatsController {
  @Get()
  list(@ListQuery(RULES) request: ListRequestAt): ListRequestAt {
    return request;
  }

  @Post()
  create(@JsonBody(CatDto) cat: CatDto): CatDto {
    return cat;
  }
}

@Module({ controllers: [CatsController] })
class CatsModule {}

/** A minimal filter, because this lib must not depend on @items/exception-filter. */
@Catch(ApiError)
class TestFilter {
  catch(error: ApiError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{ status(code: number): { send(body: unknown): void } }>();
    response.status(error.status).send(error.toBody());
  }
}

const PLATFORMS = [
  { name: 'Express', adapter: () => new ExpressAdapter(), rawBody: false },
  { name: 'Express with rawBody', adapter: () => new ExpressAdapter(), rawBody: true },
  { name: 'Fastify', adapter: () => new FastifyAdapter(), rawBody: false },
  { name: 'Fastify with rawBody', adapter: () => new FastifyAdapter(), rawBody: true },
];

const UNPARSED = [
  { name: 'Express', start: () => new ExpressAdapter() },
  {
    name: 'Fastify',
    start: () => {
      const adapter = new FastifyAdapter();
      const fastify = adapter.getInstance();
      fastify.removeAllContentTypeParsers();
      fastify.addContentTypeParser('*', (_request: unknown, _payload: unknown, done: (error: null) => void) => {
        done(null);
      });
      return adapter;
    },
  },
];

describe.each(UNPARSED)('@JsonBody in an app on $name that parses no bodies', ({ start }) => {
  const thrown: unknown[] = [];

  @Catch()
  class RecordingFilter extends TestFilter {
    override catch(error: unknown, host: ArgumentsHost): void {
      thrown.push(error);
      super.catch(error instanceof ApiError ? error : new InternalError(error), host);
    }
  }

  it('is an error of the app with a remedy, never an error of the client', async () => {
    const app = await NestFactory.create(CatsModule, start(), { logger: false, bodyParser: false });
    app.useGlobalFilters(new RecordingFilter());
    await app.listen(0, '127.0.0.1');
    const url = `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/cats`;
    const headers = { 'content-type': 'application/json' };
    const sent = await fetch(url, { method: 'POST', body: '{"name":"Tom"}', headers });
    const empty = await fetch(url, { method: 'POST' });
    await app.close();
    expect([sent.status, empty.status]).toEqual([500, 400]);
    expect(thrown[0]).toMatchObject({
      message: expect.stringMatching(/app of @items\/service use its own @JsonBody\(\)/),
    });
  });
});

describe.each(PLATFORMS)('The decorators in any Nest app, on $name', ({ adapter, rawBody }) => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(CatsModule, adapter(), { logger: false, rawBody });
    app.useGlobalFilters(new TestFilter());
    await app.listen(0, '127.0.0.1');
    url = `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/cats`;
  });

  afterAll(() => app.close());

  async function post(body: string | Uint8Array, type = 'application/json'): Promise<[number, unknown]> {
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } });
    return [answer.status, await answer.json()];
  }

  it('@JsonBody trims, makes omitted fields null, and drops read-only fields', async () => {
    const body = JSON.stringify({ name: ' Tom ', id: 7 });
    expect(await post(body, 'application/json; charset=UTF-8')).toEqual([201, { name: 'Tom', color: null }]);
  });

  it.each([
    ['a field that is missing', { color: 'red' }, 'name', 'required'],
    ['a field of another type', { name: 1 }, 'name', 'wrong_type'],
    ['an unknown field', { name: 'Tom', colour: 'red' }, 'colour', 'unknown_field'],
    ['what is no object', [], '', 'wrong_type'],
  ])('@JsonBody returns 422 and names %s', async (_, body, field, code) => {
    const [status, error] = await post(JSON.stringify(body));
    expect([status, (error as ErrorBody).details]).toEqual([422, [expect.objectContaining({ field, code })]]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])(
    '@JsonBody returns 415 for %s',
    async (type) => {
      expect((await post('{"name":"Tom"}', type))[0]).toBe(415);
    },
  );

  it('@JsonBody returns 400 for a body that is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"name":"T'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(await post(bytes)).toEqual([400, expect.objectContaining({ code: 'malformed_body' })]);
  });

  it('@JsonBody accepts U+FFFD if it sees the bytes', async () => {
    expect((await post('{"name":"\uFFFD"}'))[0]).toBe(rawBody ? 201 : 400);
  });

  it('@JsonBody returns 400 if there is no body', async () => {
    const answer = await fetch(url, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'malformed_body' })]);
  });

  it('@ListQuery reads page, sort and filters', async () => {
    const answer = await fetch(`${url}?limit=500&sort=-name&color=red,bl%C3%BCe`);
    expect(await answer.json()).toMatchObject({
      ...{ style: 'cursor', limit: 100, path: '/cats', filter: { color: ['blüe', 'red'] } },
      sort: [{ field: 'name', descending: true }],
    });
  });

  it.each([
    ['page=0', 'page', 'out_of_range'],
    ['sort=age', 'sort', 'unknown_sort'],
    ['colour=red', 'colour', 'unknown_parameter'],
    ['page=1&page=2', 'page', 'repeated_parameter'],
  ])('@ListQuery returns 400 for ?%s and names %s', async (query, field, code) => {
    const answer = await fetch(`${url}?${query}`);
    const { details } = (await answer.json()) as ErrorBody;
    expect([answer.status, details]).toEqual([400, [expect.objectContaining({ field, code })]]);
  });

  it('@ListQuery returns 400 for a query that is not UTF-8', async () => {
    expect((await fetch(`${url}?color=%FF`)).status).toBe(400);
  });
});
