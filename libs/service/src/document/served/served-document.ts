import { controllersOf } from '../../http/nest/plain-controller.decorator.js';
import { isCollectionRoutes } from '../../http/nest/collection-routes.js';
import { Inject, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ModulesContainer } from '@nestjs/core';

import { StartRefusedError } from '../../data/definition/start-refused.js';
import { openApiDocument } from '../build/build-document.js';
import type { Part } from '../published/part.js';
import { publishedDocument } from '../published/published-document.js';
import { EncodedBody } from './encoded-body.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { ownControllers } from '../../http/nest/own-modules.js';
import { routesOf } from '../routes-of.js';
import { OPENAPI_OPTIONS, type OpenApiOptions } from '../openapi-options.js';

/**
 * Building {@link publishedDocument} blocks the main thread for 0.3 s, so the warm-up builds the document. If the
 * warm-up is off, the first request builds the document.
 */
@Injectable()
export class ServedDocument implements OnModuleInit {
  private readonly controllers: readonly Type[];
  private readonly options: OpenApiOptions;
  /** Controllers whose routes are listed even without a description. */
  private readonly own: ReadonlySet<unknown>;
  private whole: OpenApiDocument | undefined;
  private served: EncodedBody | undefined;

  /** Nest registers all controllers before it creates an instance, so the constructor finds them all. */
  constructor(
    discovery: DiscoveryService,
    private readonly config: ApplicationConfig,
    @Inject(OPENAPI_OPTIONS) options: OpenApiOptions,
    modules: ModulesContainer,
  ) {
    this.options = { ...options, isOwn: (controller) => this.own.has(controller) };
    this.own = ownControllers(modules);
    const providers = discovery.getProviders().flatMap(({ metatype }) => (metatype as Type | null) ?? []);
    this.controllers = [...controllersOf(discovery), ...providers.filter(isCollectionRoutes)];
  }

  get document(): OpenApiDocument {
    return (this.whole ??= openApiDocument(this.controllers, this.options));
  }

  get published(): Part {
    return JSON.parse(this.body.bytes.toString()) as Part;
  }

  get body(): EncodedBody {
    return this.prepare();
  }

  prepare(): EncodedBody {
    return (this.served ??= new EncodedBody(Buffer.from(JSON.stringify(publishedDocument(this.document)))));
  }

  /** @throws {StartRefusedError} The app calls `setGlobalPrefix()` or `enableVersioning()`. */
  onModuleInit(): void {
    // Check now that built-in routes have access rules. Those of the app are checked when Fastify registers them.
    const others = this.controllers.filter((controller) => !this.own.has(controller));
    for (const controller of others) routesOf(controller, this.options.access);
    const cause = this.config.getGlobalPrefix() !== '' ? 'setGlobalPrefix()' : 'enableVersioning()';
    if (cause === 'enableVersioning()' && this.config.getVersioning() === undefined) return;
    throw new StartRefusedError(
      `${cause} changes the paths of routes, and the document would name paths that do not exist: write the prefix or ` +
        "the version into the paths of the controllers, as in @Controller('v1/books').",
    );
  }
}
