import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Inject, Injectable } from '@nestjs/common';
import { OPENAPI_OPTIONS, type OpenApiOptions } from '../openapi-options.js';
import { EncodedBody } from '../served/encoded-body.js';
import type { HashedFile } from '../served/send-encoded.js';
import { ServedDocument } from '../served/served-document.js';
import { shownDocument } from './shown-document.js';

export type PageFileSet = Readonly<Record<'style' | 'icon' | 'scalar' | 'script' | 'reference', HashedFile>>;

const NAME = /^(?:docs|favicon|reference|scalar)-[\w-]{27}\.(?:css|js|json|svg)$/;
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Files of the page, read at the first request. No client input becomes part of a file path. */
@Injectable()
export class PageFiles {
  private made: Promise<PageFileSet> | undefined;

  constructor(
    private readonly served: ServedDocument,
    @Inject(OPENAPI_OPTIONS) private readonly options: OpenApiOptions,
  ) {}

  all(): Promise<PageFileSet> {
    return (this.made ??= this.make());
  }

  async named(name: string): Promise<HashedFile | undefined> {
    if (!NAME.test(name)) return undefined;
    return Object.values(await this.all()).find((file) => file.name === name);
  }

  private async make(): Promise<PageFileSet> {
    const { served, options } = this;
    const reference = JSON.stringify(shownDocument(served.document, served.published, options));
    return {
      style: fileOf('docs', 'css', 'text/css; charset=utf-8', await own('docs.css')),
      icon: fileOf('favicon', 'svg', 'image/svg+xml', await own('favicon.svg')),
      scalar: fileOf('scalar', 'js', JAVASCRIPT, await scalarScript()),
      script: fileOf('docs', 'js', JAVASCRIPT, await own('docs.js')),
      reference: fileOf(
        'reference',
        'json',
        'application/json; charset=utf-8',
        new EncodedBody(Buffer.from(reference)),
      ),
    };
  }
}

function fileOf(title: string, ending: string, type: string, body: EncodedBody): HashedFile {
  return { name: `${title}-${body.hash}.${ending}`, type, body };
}

/** The relative path is valid in src/ and in dist/. */
async function own(name: string): Promise<EncodedBody> {
  return new EncodedBody(await readFile(new URL(`../../../assets/${name}`, import.meta.url)));
}

let loaded: Promise<EncodedBody> | undefined;

function scalarScript(): Promise<EncodedBody> {
  return (loaded ??= loadScript());
}

async function loadScript(): Promise<EncodedBody> {
  const worker = new Worker(new URL('../../../assets/scalar-worker.js', import.meta.url));
  const [script] = (await once(worker, 'message')) as [Uint8Array];
  return new EncodedBody(Buffer.from(script));
}
