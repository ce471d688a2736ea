import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';

import { Injectable } from '@nestjs/common';

import { EncodedBody } from '../../document/served/encoded-body.js';

/** A file that the console loads. Its name has the hash of its content, so that it may be cached for ever. */
export interface ConsoleFile {
  readonly name: string;
  readonly type: string;
  readonly body: EncodedBody;
}

export type ConsoleFileSet = Readonly<Record<'script' | 'style' | 'icon', ConsoleFile>>;

const ASSETS = '../../../assets/';

/** The files of the console. They are read at the first request for one of them. */
@Injectable()
export class ConsoleFiles {
  private read: Promise<ConsoleFileSet> | undefined;

  all(): Promise<ConsoleFileSet> {
    return (this.read ??= readAll());
  }

  /** @returns undefined if there is no such file. */
  async named(name: string): Promise<ConsoleFile | undefined> {
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

/** @param path below the assets, which are in the same place for `src` and `dist`. */
async function fileAt(path: string, type: string): Promise<ConsoleFile> {
  const body = new EncodedBody(await readFile(new URL(ASSETS + path, import.meta.url)));
  const { name, ext } = parse(path);
  return { name: `${name}-${body.hash}${ext}`, type, body };
}
