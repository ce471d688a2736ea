import { type Exchange, fieldsOf } from '../service/exchange.js';

/** Rows are `items` of the body, or a bare array. */
export function rowsOf(exchange: Exchange): readonly unknown[] {
  const { items } = fieldsOf(exchange.json);
  if (Array.isArray(items)) return items;
  return Array.isArray(exchange.json) ? exchange.json : [];
}

/** Returns the id in a path; empty without an id. */
export function idOf(row: unknown): string {
  const { id } = fieldsOf(row);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

export function idsOf(exchange: Exchange): string[] {
  return rowsOf(exchange).map(idOf);
}

/** Omits empty parts: `?limit=2&color=red`. */
export function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return query === '' ? '' : `?${query}`;
}
