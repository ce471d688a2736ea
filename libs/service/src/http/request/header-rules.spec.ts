import type { IncomingMessage } from 'node:http';

import { InvalidHeaderError, UnsupportedMediaTypeError } from '@items/conventions';
import { idempotencyKeyOf, requestIdOf } from './request-head.js';
import { requireJson } from '../body/read-body.js';

const message = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

describe('Idempotency-Key (SPEC §4.4)', () => {
  it('is 1–255 visible characters, or absent', () => {
    expect(idempotencyKeyOf(message({}))).toBeUndefined();
    expect(idempotencyKeyOf(message({ 'idempotency-key': 'a' }))).toBe('a');
    expect(idempotencyKeyOf(message({ 'idempotency-key': '~'.repeat(255) }))).toHaveLength(255);
  });

  it.each([[''], ['a'.repeat(256)], ['a b'], ['a, b'], ['é']])('refuses %p with 400', (key) => {
    expect(() => idempotencyKeyOf(message({ 'idempotency-key': key }))).toThrow(InvalidHeaderError);
  });
});

describe('A content type other than JSON: 415 (SPEC §4.5)', () => {
  it.each([
    { 'content-type': 'application/json' },
    { 'content-type': 'Application/JSON ; charset=UTF-8' },
    { 'content-type': 'application/json; charset="utf-8"; profile=x' },
    { 'content-type': 'application/json;', 'content-encoding': 'identity' },
  ])('accepts %p', (headers) => {
    expect(() => {
      requireJson(headers);
    }).not.toThrow();
  });

  it.each([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonx' },
    { 'content-type': 'application/problem+json' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json; charset' },
    { 'content-type': 'application/json, text/plain' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ])('refuses %p', (headers) => {
    expect(() => {
      requireJson(headers);
    }).toThrow(UnsupportedMediaTypeError);
  });
});

describe('X-Request-Id', () => {
  it('is that of the client if it is harmless', () => {
    expect(requestIdOf(message({ 'x-request-id': 'a.B-9_' }))).toBe('a.B-9_');
  });

  it.each(['', 'a b', 'a\n', 'x'.repeat(129), '<script>'])('is a new one each time instead of %p', (id) => {
    const [first, second] = [requestIdOf(message({ 'x-request-id': id })), requestIdOf(message({}))];
    expect(first).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(first).not.toBe(second);
  });
});
