import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { etagOf } from '../served-document.js';

/** A file of the documentation page. */
export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
}

interface Source {
  readonly file: string;
  readonly type: string;
}

const { resolve } = createRequire(import.meta.url);
const swaggerUi = (name: string): string => resolve(`swagger-ui-dist/${name}`);
// The same from src/ and from dist/.
const own = (name: string): string => fileURLToPath(new URL(`../../assets/${name}`, import.meta.url));

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** All that is ever read from the disk: a name is looked up here, and never becomes part of a path. */
const SOURCES: ReadonlyMap<string, Source> = new Map([
  ['docs.css', { file: own('docs.css'), type: CSS }],
  ['docs.js', { file: own('docs.js'), type: JAVASCRIPT }],
  ['swagger-ui.css', { file: swaggerUi('swagger-ui.css'), type: CSS }],
  ['swagger-ui-bundle.js', { file: swaggerUi('swagger-ui-bundle.js'), type: JAVASCRIPT }],
  ['favicon-32x32.png', { file: swaggerUi('favicon-32x32.png'), type: 'image/png' }],
]);

const loaded = new Map<string, Promise<Asset>>();

/** Read once, on first use. @returns undefined for a name that is not on the list. */
export function assetNamed(name: string): Promise<Asset> | undefined {
  const known = loaded.get(name);
  const source = SOURCES.get(name);
  if (known !== undefined || source === undefined) return known;
  const asset = load(source);
  loaded.set(name, asset);
  return asset;
}

async function load({ file, type }: Source): Promise<Asset> {
  const body = await readFile(file);
  return { body, type, etag: etagOf(body) };
}
