import { accessRules } from './access-rules.js';
import { CollectionUnderTest, type CollectionSpec } from './collection-under-test.js';
import { endpointRules } from './endpoint-rules.js';
import { eventRules } from './event-rules.js';
import { listRules } from './list-rules.js';
import { methodRules } from './method-rules.js';
import { ownerRules } from './owner-rules.js';
import { rangeRules } from './range-rules.js';
import { relationRules } from './relation-rules.js';
import { repetitionRules } from './repetition-rules.js';
import { walkRules } from './walk-rules.js';

/**
 * Tests the rules of the specification that every collection follows. No other test may write to the collection
 * meanwhile, unless a filter that accepts any text separates their lists.
 * @example
 * describeCollection({ path: '/widgets', fields: { name: 'string' }, sortable: ['name'], filters: [] });
 */
export function describeCollection(spec: CollectionSpec): void {
  describe(`The collection ${spec.path}`, () => {
    const collection = new CollectionUnderTest(spec);
    beforeAll(() => collection.prepare());

    if (spec.methods !== undefined) return methodRules(collection, spec.methods);
    endpointRules(collection);
    repetitionRules(collection);
    listRules(collection);
    rangeRules(collection);
    walkRules(collection);
    accessRules(collection);
    eventRules(collection);
    relationRules(collection);
    if (collection.isOwned) ownerRules(collection);
  });
}
