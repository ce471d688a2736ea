import type { Log } from '@items/service/internal/runtime/logging/log';
import { allCollections as allOf } from '@items/service/internal/service/all-collections';
import { permissionsOf } from '@items/service/internal/service/composition/permissions-of';
import type { Config } from '@items/service/internal/runtime/config/config';
import { createService as create, type Service } from '@items/service/internal/service/create-service';
import { EventReaders } from '@items/service/internal/service/feed-routes/event-readers';
import { schemaOf } from '@items/service/internal/service/schema';
import type { Tracing } from '@items/service/internal/runtime/tracing/tracing';

import { composition } from './composition.js';

export type { Service };

/** This service, ready to listen. */
export function createService(config: Config, log: Log, tracing?: Tracing): Promise<Service> {
  return create(composition, config, log, tracing);
}

export const schema = schemaOf(composition);
export const allCollections = allOf(composition);
export const permissions = permissionsOf(composition);
export const readers = new EventReaders(composition, permissions);
export const { kinds: EVENT_KINDS, scopes: EVENT_SCOPES } = readers;
