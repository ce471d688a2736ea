export { sqliteStore } from './sqlite-store.js';
