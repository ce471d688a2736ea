// The collections that say only what is their own, one line each: their modules bring the routes, the part of the API
// document, and the migrations that make their tables.
export { ItemsModule } from './items/items.module.js';
