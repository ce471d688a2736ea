import { readFileSync } from 'node:fs';

import { OpenApiValidator, type Exchange, type OpenApiDocument } from '@items/testing';

import { service } from './service.js';

const validator = service.openApiFile === undefined ? undefined : new OpenApiValidator(read(service.openApiFile));

/** Returns the contradictions between a response and the service's OpenAPI document. */
export function documentProblems(exchange: Exchange): string[] {
  return validator?.problems(exchange) ?? [];
}

function read(file: string): OpenApiDocument {
  return JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
}
