import { Answer } from '@items/testing';

import { errorShapeProblems } from './error-shape.js';

function problemsOf(body: unknown, type = 'application/json'): string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return errorShapeProblems(new Answer(400, [['Content-Type', type]], Buffer.from(text)));
}

const detail = { field: 'name', code: 'required', message: 'name is missing.' };
const body = { error: 'The name is missing.', code: 'validation_failed', details: [detail] };

describe('The check of error bodies (§7)', () => {
  it('accepts the body that SPEC §7 shows', () => {
    expect(problemsOf(body)).toEqual([]);
    expect(problemsOf({ error: body.error, code: body.code }, 'application/json; charset=utf-8')).toEqual([]);
  });

  it('accepts any quoted input of the client', () => {
    expect(problemsOf({ ...body, error: '"<h1 " is not a parameter of this list.' })).toEqual([]);
  });

  it.each([
    ['another type', [body, 'text/html'], 'instead of JSON'],
    ['a page', ['<!doctype html>', 'application/json'], 'no JSON object'],
    ['a bare number', [404], 'no JSON object'],
    ['a list', [[body]], 'no JSON object'],
    ['no error', [{ code: 'x' }], 'no sentence'],
    ['a word instead of a sentence', [{ ...body, error: 'Invalid' }], 'no sentence'],
    ['a page in the sentence', [{ ...body, error: 'No. <html> is bad' }], 'no sentence'],
    ['no code', [{ error: 'That is wrong.' }], 'not snake_case'],
    ['a code in another style', [{ ...body, code: 'ValidationFailed' }], 'not snake_case'],
    ['a request id', [{ ...body, request_id: '1' }], 'unknown member "request_id"'],
    ['empty details', [{ ...body, details: [] }], 'without any'],
    ['21 details', [{ ...body, details: Array(21).fill(detail) }], 'more than 20'],
    ['details in any order', [{ ...body, details: [detail, { ...detail, field: 'color' }] }], 'not sorted'],
    ['params that the code lacks', [{ ...body, details: [{ ...detail, params: { max: 1 } }] }], 'with params {max}'],
    ['params that are missing', [{ ...body, details: [{ ...detail, code: 'too_long' }] }], 'too_long with params {}'],
    ['a detail without a message', [{ ...body, details: [{ field: 'x', code: 'y' }] }], 'field,code'],
  ] as const)('is not one with %s', (_title, args, complaint) => {
    expect(problemsOf(...(args as unknown as Parameters<typeof problemsOf>)).join()).toContain(complaint);
  });
});
