import { type Exchange, fieldsOf } from '../service/exchange.js';

/** The rows of a list's answer: its `items`, or the bare array of a service that does otherwise. */
export function rowsOf(exchange: Exchange): readonly unknown[] {
  const { items } = fieldsOf(exchange.json);
  if (Array.isArray(items)) return items;
  return Array.isArray(exchange.json) ? exchange.json : [];
}

/** A row's id as a path needs it; empty where it has none. */
export function idOf(row: unknown): string {
  const { id } = fieldsOf(row);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

export function idsOf(exchange: Exchange): string[] {
  return rowsOf(exchange).map(idOf);
}

/** A query from its parts, empty ones left out: `?limit=2&color=red`. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return query === '' ? '' : `?${query}`;
}
