import type { OpenApiDocument } from '../openapi-document.js';
import { shownDocument } from './shown-document.js';

const whole = {
  info: { title: 'Books', version: '1.0.0' },
  servers: [{ url: 'https://books.example/' }],
  tags: [{ name: 'Books' }, { name: 'Access' }],
  paths: {
    '/access': { get: { operationId: 'access', tags: ['Access'], security: [{}] } },
    '/books': { get: { operationId: 'listBooks', tags: ['Books'], security: [{}] } },
    '/books/{id}': { get: { operationId: 'getBook', tags: ['Books'], security: [{}] } },
  },
  components: { parameters: {} },
} as unknown as OpenApiDocument;

const shownParameter = (parameter: object): unknown => {
  const paths = { '/books': { get: { parameters: [parameter] } } };
  const shown = shownDocument(whole, { info: whole.info, paths }, whole);
  return (shown['paths'] as typeof paths)['/books'].get.parameters[0];
};

describe('The document of the page', () => {
  it('has no value for an optional parameter, so that a trial does not send it', () => {
    expect(
      shownParameter({
        ...{ name: 'Api-Version', in: 'header', description: 'The version.', example: '2' },
        schema: { type: 'string', enum: ['2', '1'], default: '2', examples: ['2'] },
      }),
    ).toEqual({
      ...{ name: 'Api-Version', in: 'header', description: 'The version. Example: `2`, `1`' },
      schema: { type: 'string' },
    });
  });

  it('keeps the example of a required parameter', () => {
    const parameter = { name: 'id', in: 'path', required: true, example: '1', schema: { type: 'string' } };
    expect(shownParameter(parameter)).toEqual(parameter);
  });

  it('shows the type of a field instead of the name of a shared schema, except for objects', () => {
    const named = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
    const schemas = {
      BookTags: { type: 'array', items: named('BookTag') },
      BookTag: { type: 'string' },
      Book: { type: 'object', properties: { tags: named('BookTags'), author: named('Author') } },
      Author: { type: 'object', properties: {} },
    };
    const shown = shownDocument(whole, { info: whole.info, paths: {}, components: { schemas } }, whole);
    expect(shown['components']).toEqual({
      schemas: {
        Book: {
          type: 'object',
          properties: { tags: { type: 'array', items: { type: 'string' } }, author: named('Author') },
        },
        Author: { type: 'object', properties: {} },
      },
    });
  });

  it('links RFCs and their sections', () => {
    const { description } = shownParameter({ in: 'header', description: 'RFC 9110 §13.1, §4. RFC 7636' }) as {
      description: string;
    };
    const rfc = 'https://www.rfc-editor.org/rfc/rfc9110';
    expect(description).toBe(
      `[RFC 9110](${rfc}) [§13.1](${rfc}#section-13.1), [§4](${rfc}#section-4). [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)`,
    );
  });

  it('has first samples for curl, @items/client and Python, of the first collection', () => {
    const { info } = shownDocument(whole, { info: whole.info, paths: {} }, whole) as unknown as {
      info: { 'x-scalar-sdk-installation': { lang: string; source: string }[] };
    };
    const samples = info['x-scalar-sdk-installation'];
    expect(samples.map(({ lang }) => lang)).toEqual(['curl', '@items/client', 'Python']);
    expect(samples[0]?.source).toBe('curl -H "X-API-Key: $ITEMS_KEY" https://books.example/books');
    expect(samples[1]?.source).toContain(`client.collection('books').page()`);
    expect(samples[2]?.source).toContain('"https://books.example/books"');
  });
});
