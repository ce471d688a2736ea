import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';

import { Injectable } from '@nestjs/common';

import { EncodedBody } from '../../document/served/encoded-body.js';
import type { HashedFile } from '../../document/served/send-encoded.js';

export type ConsoleFileSet = Readonly<Record<'script' | 'style' | 'icon', HashedFile>>;

const ASSETS = '../../../assets/';

@Injectable()
export class ConsoleFiles {
  private read: Promise<ConsoleFileSet> | undefined;

  all(): Promise<ConsoleFileSet> {
    return (this.read ??= readAll());
  }

  async named(name: string): Promise<HashedFile | undefined> {
    return Object.values(await this.all()).find((file) => file.name === name);
  }
}

async function readAll(): Promise<ConsoleFileSet> {
  const [script, style, icon] = await Promise.all([
    fileAt('console/main.js', 'text/javascript; charset=utf-8'),
    fileAt('console/style.css', 'text/css; charset=utf-8'),
    fileAt('favicon.svg', 'image/svg+xml'),
  ]);
  return { script, style, icon };
}

/** @param path Relative to the assets, which have the same position in `src` and `dist`. */
async function fileAt(path: string, type: string): Promise<HashedFile> {
  const body = new EncodedBody(await readFile(new URL(ASSETS + path, import.meta.url)));
  const { name, ext } = parse(path);
  return { name: `${name}-${body.hash}${ext}`, type, body };
}
