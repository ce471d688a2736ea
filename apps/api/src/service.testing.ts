import type { Log } from '@items/logging';
import { allCollections as allOf } from '@items/service/internal/all-collections';
import type { Config } from '@items/service/internal/config/config';
import { createService as create, type Service } from '@items/service/internal/create-service';
import { EventReaders } from '@items/service/internal/events/event-readers';
import { schemaOf } from '@items/service/internal/schema';
import type { Tracing } from '@items/tracing';

import { composition } from './composition.js';

export type { Service };

/** This service, ready to listen. */
export function createService(config: Config, log: Log, tracing?: Tracing): Promise<Service> {
  return create(composition, config, log, tracing);
}

export const schema = schemaOf(composition);
export const allCollections = allOf(composition);
export const readers = new EventReaders(composition);
export const { kinds: EVENT_KINDS, scopes: EVENT_SCOPES } = readers;
