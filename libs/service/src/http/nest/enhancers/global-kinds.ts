import type { ApplicationConfig } from '@nestjs/core';

import type { EnhancerKinds } from './enhanced-route.js';

const OWN_FILTERS = 1;

export function globalKinds(config: ApplicationConfig): EnhancerKinds {
  return {
    guards: config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0,
    interceptors: config.getGlobalInterceptors().length + config.getGlobalRequestInterceptors().length > 0,
    pipes: config.getGlobalPipes().length + config.getGlobalRequestPipes().length > 0,
    filters: config.getGlobalFilters().length + config.getGlobalRequestFilters().length > OWN_FILTERS,
  };
}
