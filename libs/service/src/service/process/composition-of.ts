import type { Type } from '@nestjs/common';

import { resolveModules } from '../collections/collection-features.js';
import { composed } from '../collections/composed.js';
import type { Composition, ServiceOptions } from '../composition/composition.js';
import { rootOptionsOf } from './service.module.js';

export async function compositionOf(service: ServiceOptions | Composition | Type): Promise<{
  readonly composition: Composition;
  readonly settings?: ServiceOptions['settings'];
}> {
  if (typeof service !== 'function' && 'events' in service) return { composition: service };
  const { settings, ...parts } = typeof service === 'function' ? rootOptionsOf(service) : service;
  await resolveModules(parts.modules ?? []);
  return { composition: composed(parts), ...(settings && { settings }) };
}
