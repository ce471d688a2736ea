import { describeCollection } from '../collection-rules/describe-collection.js';

describeCollection({
  path: '/items',
  fields: { name: 'string', description: 'text?', color: 'string?', price: 'money?' },
  sortable: ['name', 'color', 'price', 'created_at', 'updated_at'],
  filters: ['color'],
  events: 'item',
});
