import type { Type } from '@nestjs/common';

import { resolveModules } from '../composed-collections/collection-features.js';
import { composed } from '../composed-collections/composed.js';
import type { Composition } from '../composition/composition.js';
import { rootOptionsOf } from './service.module.js';
import type { ServiceOptions } from './service-options.js';

export async function compositionOf(service: ServiceOptions | Composition | Type): Promise<{
  readonly composition: Composition;
  readonly settings?: ServiceOptions['settings'];
}> {
  if (typeof service !== 'function' && 'events' in service) return { composition: service };
  const options = typeof service === 'function' ? rootOptionsOf(service) : service;
  const { settings, modules = [] } = options;
  await resolveModules(modules);
  return { composition: composed(options), ...(settings && { settings }) };
}
