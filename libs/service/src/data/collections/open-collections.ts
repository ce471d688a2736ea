import type { Transaction } from '../database/database.js';

/** Keyed by database and definition, because several services of one process may share a definition. */
const open = new WeakMap<object, Map<object, object>>();

export function addOpenCollection(database: object, definition: object, service: object): void {
  let known = open.get(database);
  if (known === undefined) open.set(database, (known = new Map<object, object>()));
  known.set(definition, service);
}

export function openCollectionOf(tx: Transaction, definition: { readonly name: string }): object {
  const { database } = (tx as Transaction | undefined) ?? {};
  if (database === undefined) {
    throw new TypeError(`A read or write of "${definition.name}" needs the tx of its transaction as first argument.`);
  }
  const service = open.get(database)?.get(definition);
  if (service === undefined) throw new Error(`The collection "${definition.name}" does not belong to this service.`);
  return service;
}
