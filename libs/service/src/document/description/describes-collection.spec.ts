import 'reflect-metadata';

import { Text } from '@items/fields';
import { JsonBody } from '../../http/nest/json-body.js';
import { textFilter } from '@items/paging';
import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { FASTIFY_ROUTE_SCHEMA_METADATA } from '@nestjs/platform-fastify/constants.js';

import { routesOf } from '../routes-of.js';
import { collectionNames } from './collection-names.js';
import { DescribesCollection } from './describes-collection.js';
import { Operation } from './operation.js';

class WidgetInputDto {
  @Text({ max: 20, example: 'Gear' })
  name!: string;
}

const widgets = {
  name: 'widgets',
  singular: 'widget',
  dto: WidgetInputDto,
  immutable: false,
  sortable: ['name'],
  filters: { name: textFilter({ max: 20 }) },
};

@Controller('widgets')
@DescribesCollection(widgets)
class WidgetsController {
  @Get()
  list(): void {}

  @Post()
  create(@JsonBody(WidgetInputDto) _input: WidgetInputDto): void {}

  @Delete(':id')
  @Operation({ tag: 'Widgets', summary: 'Scrap a widget', ending: 'deleted', resource: 'widget' })
  remove(@Param('id') _id: string): void {}

  notARoute(): void {}
}

describe('@DescribesCollection()', () => {
  const routes = routesOf(WidgetsController);

  it('describes the routes that a collection has, from its definition and its DTO alone', () => {
    expect(routes.map(({ method, path, id, body }) => [method, path, id, body?.dto])).toEqual([
      ['get', '/widgets', 'listWidgets', undefined],
      ['post', '/widgets', 'createWidget', WidgetInputDto],
      ['delete', '/widgets/{id}', 'widgetsRemove', undefined],
    ]);
    expect(Object.keys(routes[0]?.description.schemas ?? {})).toEqual([
      'WidgetOffsetPage',
      'WidgetCursorPage',
      'Widget',
    ]);
  });

  it('describes the rotation of a secret, whose response alone shows it', () => {
    const secrets = { key: { type: 'string' } };
    const rotation = { id: 'rotateWidget', summary: 'Give a widget a new secret', description: 'Shown once.' };
    @Controller('widgets')
    @DescribesCollection(widgets, { secrets, rotation })
    class SecretWidgetsController {
      @Post(':id/rotations')
      rotate(): void {}
    }
    const [{ id, path, description } = routes[0]!] = routesOf(SecretWidgetsController);
    expect([id, path, description]).toMatchObject([
      'rotateWidget',
      '/widgets/{id}/rotations',
      { secret: true, schemas: { CreatedWidget: { properties: { key: secrets.key } } }, errors: [{ status: 404 }] },
    ]);
  });

  it('sets a serialiser made of the schema on routes that return the resource', () => {
    const schemaOf = (name: keyof WidgetsController): unknown =>
      Reflect.getMetadata(FASTIFY_ROUTE_SCHEMA_METADATA, WidgetsController.prototype[name]);
    const widget = routes[1]?.description.schemas?.['Widget'];
    expect(schemaOf('create')).toEqual({ response: { 201: widget } });
    expect(schemaOf('list')).toMatchObject({ response: { 200: { properties: { widgets: { items: widget } } } } });
    expect(schemaOf('remove')).toBeUndefined();
  });

  it('keeps an explicit description', () => {
    expect(routes[2]?.description.summary).toBe('Scrap a widget');
  });

  it('omits the time of change of members that never change', () => {
    class PastController {
      @Get(':id')
      get(): void {}
    }
    DescribesCollection({ ...widgets, immutable: true })(PastController);
    const { get } = PastController.prototype;
    expect(Reflect.getMetadata(FASTIFY_ROUTE_SCHEMA_METADATA, get)).toMatchObject({
      response: { 200: { required: ['id', 'name', 'created_at'] } },
    });
  });

  it.each([
    ['items', 'item', { schema: 'Item', plural: 'Items', tag: 'Items' }],
    ['api_keys', 'API key', { schema: 'ApiKey', plural: 'ApiKeys', tag: 'API keys' }],
    [
      'stock_categories',
      'stock category',
      { schema: 'StockCategory', plural: 'StockCategories', tag: 'Stock categories' },
    ],
  ])('derives the names of %s from name and singular', (name, singular, names) => {
    expect(collectionNames(name, singular)).toEqual(names);
  });
});

describe('A route without a description', () => {
  it('is omitted from the document', () => {
    @Controller('probes')
    class ProbesController {
      @Get(':id')
      get(): void {}
    }
    expect(routesOf(ProbesController)).toEqual([]);
  });
});
