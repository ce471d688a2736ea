import { applyDecorators, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlainController } from '../../http/nest/plain-controller.decorator.js';
import { ReadsBody } from '../../http/nest/json-body.js';
import { readForm } from '../../http/pages/form-body.js';
import { requireOwnForm } from '../../http/pages/own-form.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { HttpsGuard } from '../auth/credential-guards.js';
import { EarlyErrorForm } from '../auth/route-access.js';
import { pageErrorAnswer } from '../credentials/pages/error-page.js';
import { PageErrorFilter } from '../credentials/pages/page-error.filter.js';

/** Declares a controller of pages with forms. Errors are pages too. */
export function PageController(path: string): ClassDecorator {
  const decorators = [PlainController(path), ReadsBody(), EarlyErrorForm(pageErrorAnswer), UseFilters(PageErrorFilter)];
  return applyDecorators(...decorators, UseGuards(HttpsGuard));
}

/** @throws {ForeignFormError} 400: another site sent the form. */
export async function readOwnForm(
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string,
): Promise<URLSearchParams> {
  requireOwnForm(request, origin);
  return (await readForm(request, reply)).fields;
}

export function redirect(reply: FastifyReply, location: string, headers: { 'set-cookie'?: string[] } = {}): void {
  reply.headers({ ...pageHeaders(), ...headers, location });
  reply.code(303).send('');
}
