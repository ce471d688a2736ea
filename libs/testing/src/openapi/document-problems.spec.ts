import { exampleProblems, referenceProblems } from './document-problems.js';

const NAME = { type: 'string', maxLength: 3, examples: ['Mug'] };

function documentWith(content: object, schemas: object = { Name: NAME }): object {
  const responses = { '200': { content: { 'application/json': content } } };
  return { openapi: '3.1.0', paths: { '/items': { get: { responses } } }, components: { schemas } };
}

const POINTER = '#/paths/~1items/get/responses/200/content/application~1json';

describe('The problems of a document', () => {
  it('are none if each reference leads somewhere, and each example is valid', () => {
    const document = documentWith({ schema: { $ref: '#/components/schemas/Name' }, example: 'Cup' });
    expect(referenceProblems(document)).toEqual([]);
    expect(exampleProblems(document)).toEqual({ problems: [], judged: 2 });
  });

  it('are references that lead nowhere, and components that nothing refers to', () => {
    const document = documentWith({ schema: { $ref: '#/components/schemas/Nome' }, example: 'Cup' });
    expect(referenceProblems(document)).toEqual([
      '#/components/schemas/Nome leads nowhere',
      '#/components/schemas/Name is not used',
    ]);
  });

  it('are examples of contents that their schema refuses, by name as well, or that are missing', () => {
    const schema = { $ref: '#/components/schemas/Name' };
    expect(exampleProblems(documentWith({ schema, example: 'Glass' })).problems).toEqual([
      expect.stringContaining(POINTER),
    ]);
    const named = { schema, examples: { one: { value: 'Cup' }, other: { value: 7 } } };
    expect(exampleProblems(documentWith(named)).problems).toEqual([expect.stringContaining(POINTER)]);
    expect(exampleProblems(documentWith({ schema })).problems).toEqual([`${POINTER} has no example`]);
  });

  it('are examples of fields that their schema refuses', () => {
    const schema = { $ref: '#/components/schemas/Name' };
    const schemas = { Name: { ...NAME, examples: ['Glass'] } };
    const { problems } = exampleProblems(documentWith({ schema, example: 'Cup' }, schemas));
    expect(problems).toEqual([expect.stringContaining('#/components/schemas/Name')]);
  });
});
