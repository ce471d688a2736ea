import { createHash } from 'node:crypto';

import { Inject, Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { CONFIG, type Config } from '../config/config.js';
import { buildDocument } from './document/build-document.js';
import type { OpenApiDocument } from './document/openapi-document.js';
import { routesOf } from './routes-of.js';

/** The document of this service: made once, at the start, and served as it stands. */
@Injectable()
export class ServedDocument {
  readonly document: OpenApiDocument;
  readonly text: string;
  readonly etag: string;

  /** Nest knows all controllers before it makes the first instance of anything. */
  constructor(discovery: DiscoveryService, @Inject(CONFIG) config: Config) {
    const controllers = discovery.getControllers().map(({ metatype }) => metatype as Type);
    this.document = buildDocument(controllers.flatMap(routesOf), config);
    this.text = JSON.stringify(this.document);
    this.etag = etagOf(this.text);
  }
}

/** A strong entity tag of a constant body. RFC 9110 §8.8.3 */
export function etagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
