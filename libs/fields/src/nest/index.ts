export { JsonBody } from './json-body.js';
export { ListQuery } from './list-query.js';
