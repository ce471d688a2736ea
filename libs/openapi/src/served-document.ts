import { createHash } from 'node:crypto';

import { Inject, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';

import { openApiDocument } from './document/build-document.js';
import type { OpenApiDocument } from './openapi-document.js';
import { OPENAPI_OPTIONS, type OpenApiOptions } from './openapi-options.js';

/** The document of an application: made once, at the start, and served as it stands. */
@Injectable()
export class ServedDocument implements OnModuleInit {
  readonly document: OpenApiDocument;
  /** Bytes, which all answers share: of a text each would hold a copy until its client has read it. */
  readonly body: Buffer;
  readonly etag: string;

  /** Nest knows all controllers before it makes the first instance of anything. */
  constructor(
    discovery: DiscoveryService,
    private readonly config: ApplicationConfig,
    @Inject(OPENAPI_OPTIONS) options: OpenApiOptions,
  ) {
    const controllers = discovery.getControllers().map(({ metatype }) => metatype as Type);
    this.document = openApiDocument(controllers, options);
    this.body = Buffer.from(JSON.stringify(this.document));
    this.etag = etagOf(this.body);
  }

  /** @throws {Error} the routes have a prefix or a version that their decorators do not say. */
  onModuleInit(): void {
    const cause = this.config.getGlobalPrefix() !== '' ? 'setGlobalPrefix()' : 'enableVersioning()';
    if (cause === 'enableVersioning()' && this.config.getVersioning() === undefined) return;
    throw new Error(
      `${cause} changes the paths of routes, and the document would name paths that do not exist: write the prefix or ` +
        "the version into the paths of the controllers, as in @Controller('v1/books').",
    );
  }
}

/** A strong entity tag of a constant body. RFC 9110 §8.8.3 */
export function etagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
