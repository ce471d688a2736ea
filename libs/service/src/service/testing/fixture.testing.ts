import 'reflect-metadata';

import { ItemInputDto } from '@items/dtos';
import { Sortable, Text } from '@items/fields';

import type { Config } from '../../runtime/config/config.js';
import type { Log } from '../../runtime/logging/log.js';
import type { Tracing } from '../../runtime/tracing/tracing.js';
import { allCollections as allOf } from '../all-collections.js';
import { collection } from '../collections/collection.js';
import { composed } from '../collections/composed.js';
import { permissionsOf } from '../composition/composition.js';
import { createService as create, type Service } from '../create-service.js';
import { EventReaders } from '../feed-routes/event-readers.js';
import { schemaOf } from '../schema.js';

export type { Service };

class NoteInput {
  @Sortable()
  @Text({ min: 1, max: 200, description: 'What the note says.', example: 'Call the office.' })
  text!: string;
}

export const itemCollection = collection({ name: 'items', singular: 'item', input: ItemInputDto, events: true });

/** Notes belong to users. They remain after their user is deleted. */
export const noteCollection = collection({
  name: 'notes',
  singular: 'note',
  input: NoteInput,
  parent: 'users',
  onDelete: 'keep',
  events: true,
});

/** The service under test in this package: one collection at the root, and one below each user. */
export const composition = composed({ collections: [itemCollection, noteCollection] });

export function createService(config: Config, log: Log, tracing?: Tracing): Promise<Service> {
  return create(composition, config, log, tracing);
}

export const schema = schemaOf(composition);
export const allCollections = allOf(composition);
export const permissions = permissionsOf(composition);
export const readers = new EventReaders(composition, permissions);
export const { kinds: EVENT_KINDS, scopes: EVENT_SCOPES } = readers;
