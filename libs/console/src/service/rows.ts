import type { ItemsClient } from '@items/client';

import type { Method } from '../document/openapi.js';
import { splitPath } from '../document/paths.js';

/** A member of any collection. */
export type Row = Readonly<Record<string, unknown>>;

export interface Version {
  readonly data: Row;
  readonly etag: string | undefined;
}

export function text(row: Row, name: string): string {
  return plainText(row[name]);
}

/** Converts a string, number or boolean to text; any other value to an empty text. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function idOf(row: Row): string {
  return text(row, 'id');
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** @param path Path of the list, with the values of its parameters. */
export async function readPage(client: ItemsClient, path: string, query: Query) {
  const page = await client.collection<Row>(path.slice(1)).page(query);
  const rows = page[splitPath(path)[1].replaceAll('-', '_')] as readonly Row[];
  return { rows, cursor: page.next_cursor, total: Number(page['total']) };
}

interface Options {
  readonly input: Row | undefined;
  /** `ETag` of the version to replace. */
  readonly etag: string | undefined;
  readonly idempotencyKey: string;
}

export async function send(client: ItemsClient, method: Method, path: string, options: Options): Promise<Version> {
  const { input, etag, idempotencyKey } = options;
  const [list, id] = splitPath(path.slice(1));
  const members = client.collection<Row, Row>(list);
  if (method === 'put') return members.replace(id, input ?? {}, etag ? { ifMatch: etag } : {}).withResponse();
  if (method === 'post') {
    return client.collection<Row, Row | undefined>(path.slice(1)).create(input, { idempotencyKey }).withResponse();
  }
  await members.delete(id);
  return { data: {}, etag: undefined };
}
