import { All, Body, Controller, Get, HttpCode, Module, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { Integer, Text } from '@items/fields';
import { IsInt } from 'class-validator';

import { collection, JsonBody, Operation, OwnerOrAdmin, Public, RequireScope } from '../index.js';
import { type StartedService, startForTest } from './started-services.testing.js';

class BookInput {
  @Text({ max: 100 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });

class StampDto {
  @Text({ max: 10 }) stamp!: string;
}
class CountDto {
  @Integer({ min: 0, max: 99 }) count!: number;
}

@Controller('reports')
class ReportsController {
  @Get('overdue')
  @RequireScope('books:read')
  listOverdue(@Query('since') since: string): unknown {
    return { since };
  }

  @Patch(':id')
  @RequireScope('books:write')
  stamp(@Param('id') id: string, @JsonBody(StampDto) input: StampDto): unknown {
    return { id, input };
  }

  @Post('counts')
  @Public()
  @HttpCode(202)
  @Operation({ summary: 'Count the reports', tag: 'Counting', response: CountDto })
  count(@Body() body: CountDto): unknown {
    return body;
  }

  @Get('users/:user_id')
  @RequireScope('books:read')
  @OwnerOrAdmin('user_id')
  ofUser(): unknown {
    return {};
  }

  @Get('tabled')
  tabled(): unknown {
    return {};
  }

  @All(['any', 'other/*'])
  @Public()
  any(): unknown {
    return {};
  }

  @Get('tagged')
  @Public()
  tagged(): unknown {
    return {};
  }

  @Get('hidden')
  @Public()
  hidden(): unknown {
    return {};
  }
}
// Metadata in the form of the decorators of @nestjs/swagger.
const { prototype } = ReportsController;
Reflect.defineMetadata(
  'swagger/apiOperation',
  { summary: 'Tagged reports', description: 'With a tag.' },
  prototype.tagged,
);
Reflect.defineMetadata('swagger/apiUseTags', ['Tags'], prototype.tagged);
Reflect.defineMetadata('swagger/apiExcludeEndpoint', { disable: true }, prototype.hidden);

/** Makes another controller with the same name. */
const namesake = (): Type => {
  @Controller('archive')
  class ReportsController {
    @Get()
    @Public()
    tagged(): unknown {
      return {};
    }
  }
  return ReportsController;
};

class ForeignDto {
  @IsInt() count!: number;
}
@Controller('foreign')
class ForeignController {
  @Post()
  @Public()
  count(@Body() body: ForeignDto): unknown {
    return body;
  }
}

interface Operation {
  readonly operationId?: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
  readonly security: readonly object[];
}

describe('Routes of own controllers in /openapi.json', () => {
  let service: StartedService;
  let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  let schemas: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    @Module({ controllers: [namesake()] })
    class InnerModule {}
    @Module({ imports: [InnerModule], controllers: [ReportsController] })
    class ReportsModule {}
    service = await startForTest({
      collections: [books],
      modules: [ReportsModule],
      access: { 'GET /reports/tabled': { scope: 'books:read' } },
    });
    const document = (await service.admin.get('/openapi.json')).json() as {
      paths: typeof paths;
      components: { schemas: typeof schemas };
    };
    ({ paths } = document);
    ({ schemas } = document.components);
  });
  afterAll(() => service.stop());

  const operation = (method: string, path: string): Operation => paths[path]?.[method] as Operation;

  it('have path, method, parameters, access and the common errors', () => {
    const overdue = operation('get', '/reports/overdue');
    expect([overdue.operationId, overdue.summary, overdue.tags]).toEqual([
      'reportsListOverdue',
      'List overdue',
      ['Reports'],
    ]);
    expect([overdue.parameters, paths['/reports/overdue']?.['parameters']].flat()).toContainEqual(
      expect.objectContaining({ name: 'since', in: 'query' }),
    );
    expect(overdue.description).toContain('Needs the scope `books:read`.');
    expect(Object.keys(overdue.responses)).toEqual(expect.arrayContaining(['200', '401', '403', '429', '500']));
    expect(operation('get', '/reports/users/{user_id}')).toMatchObject({
      responses: { 403: expect.anything() as object },
    });
    expect(operation('post', '/reports/counts').security).toEqual([]);
  });

  it('have the schema of @JsonBody() and of @Body() with field decorators', () => {
    const bodyOf = (each: Operation): unknown => each.requestBody?.content['application/json']?.schema;
    expect(bodyOf(operation('patch', '/reports/{id}'))).toEqual({ $ref: '#/components/schemas/Stamp' });
    expect(schemas['Stamp']).toMatchObject({ properties: { stamp: { type: 'string', maxLength: 10 } } });
    expect(bodyOf(operation('post', '/reports/counts'))).toEqual({ $ref: '#/components/schemas/Count' });
    expect(operation('patch', '/reports/{id}').responses).toMatchObject({ 413: {}, 415: {}, 422: {} });
  });

  it('have the values of @Operation() and of the decorators of @nestjs/swagger', () => {
    const count = operation('post', '/reports/counts');
    expect([count.summary, count.tags]).toEqual(['Count the reports', ['Counting']]);
    expect(JSON.stringify(count.responses['202'])).toContain('#/components/schemas/Count');
    const tagged = operation('get', '/reports/tagged');
    expect([tagged.summary, tagged.tags]).toEqual(['Tagged reports', ['Tags']]);
    expect(tagged.description).toContain('With a tag.');
    expect(paths['/reports/hidden']).toBeUndefined();
  });

  it('are listed with a generic response, for all methods and paths, also by the option access', () => {
    expect(Object.keys(paths['/reports/any'] ?? {})).toEqual(
      expect.arrayContaining(['get', 'post', 'put', 'patch', 'delete']),
    );
    expect(operation('get', '/reports/tabled').description).toContain('Needs the scope `books:read`.');
    expect(operation('get', '/reports/other/{rest}')).toMatchObject({ security: [], responses: { 200: {} } });
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(operation('get', '/archive').operationId).toMatch(/^reportsTagged/);
  });
});

it('A body with rules of class-validator alone is listed without a schema', async () => {
  @Module({ controllers: [ForeignController] })
  class ForeignModule {}
  const service = await startForTest({ collections: [books], modules: [ForeignModule] });
  try {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    expect(document.paths['/foreign']).toHaveProperty('post.summary');
  } finally {
    await service.stop();
  }
});

describe('A collection whose singular has digits and capital letters', () => {
  it.each([
    ['Item 2', '^(?:\\*|\\w{1,50}\\.(?:\\*|\\w{1,50}))$'],
    ['item', '^(?:\\*|[a-z_]{1,40}\\.(?:\\*|[a-z_]{1,40}))$'],
  ])('has webhooks, which the document describes: %s', async (singular, pattern) => {
    const boxes = collection({ name: 'boxes', singular, input: BookInput, events: true });
    const service = await startForTest({ collections: [boxes], settings: { WEBHOOK_ALLOW: '127.0.0.0/8' } });
    try {
      const events = [`${singular.replace(' ', '_')}.*`];
      const made = await service.admin.post('/webhooks', { url: 'https://127.0.0.1:9/', events });
      expect([made.status, made.json()]).toMatchObject([201, { events }]);
      const other = await service.admin.post('/webhooks', { url: 'https://127.0.0.1:9/', events: ['item3.*'] });
      expect([other.status, other.json()]).toMatchObject([422, { details: [{ code: 'not_allowed' }] }]);
      const document = (await service.admin.get('/openapi.json')).json() as {
        components: { schemas: Record<string, unknown> };
      };
      expect(document.components.schemas['WebhookEventsItem']).toMatchObject({ pattern });
    } finally {
      await service.stop();
    }
  });
});
