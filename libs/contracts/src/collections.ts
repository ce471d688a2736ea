// The collections that say only what is their own, one line each: their types, and the scopes that open them, which are
// all that scopes and roles are told of them.
export { items, type Item, type ItemInput } from './item.js';
