import type { ApiError } from '@items/conventions';
import type { Type } from '@nestjs/common';
import type { VersionNotes } from '../http/versions/versions.js';

import type { ErrorForm } from './description/operation.js';
import type { QuickStartStep } from './docs/markup.js';
import type { HeaderObject, InfoObject, Named, OpenApiDocument } from './openapi-document.js';
import type { HandlerRoute, RouteAccess } from './route.js';

export interface OpenApiOptions {
  readonly info: InfoObject;
  /** Public address without trailing slash. Default: the document's origin. */
  readonly baseUrl?: string;
  /** Target of the redirect for a browser at `/`, as in `createEdge()`. Default: no redirect. */
  readonly home?: string;
  /** Values of `Api-Version`, the current one first. Default: there is no such header. */
  readonly versions?: readonly string[];
  /** Returns the notes of a version; undefined if it is unknown. Needs {@link OpenApiRoutes.versions}. SPEC §9 */
  readonly versionNotes?: (version: string) => VersionNotes | undefined;
  readonly securitySchemes?: Named<object>;
  /** Returns the access of a route. Default: no route needs a credential. */
  readonly access?: (route: HandlerRoute) => RouteAccess;
  /** Whether routes of the controller are listed even without a description. */
  readonly isOwn?: (controller: Type) => boolean;
  /** Errors that any request may get. */
  readonly refusals?: readonly ApiError[];
  /** Error format of the unsupported methods of a path, if it is not the common one. */
  readonly errorFormAt?: (path: string) => ErrorForm | undefined;
  /** Additional headers, and other descriptions or examples of known ones. */
  readonly headers?: Named<Partial<Omit<HeaderObject, 'required'>>>;
  /** Descriptions of path parameters by name. Parameters other than ids have an example. */
  readonly pathParameters?: Named<string | { readonly description: string; readonly example: string }>;
  readonly lastTags?: readonly string[];
  readonly finish?: (document: OpenApiDocument) => OpenApiDocument;
  readonly console?: boolean;
  readonly quickStart?: readonly QuickStartStep[];
}

export interface OpenApiRoutes {
  readonly documents?: readonly MethodDecorator[];
  readonly files?: readonly MethodDecorator[];
  /** Decorators of `/favicon.ico`, which the document omits. Default: there is no such route. */
  readonly icon?: readonly MethodDecorator[];
  /** Decorators of `/docs/versions/{version}`. Default: the pages do not exist. */
  readonly versions?: readonly MethodDecorator[];
}

export const OPENAPI_OPTIONS = Symbol('OPENAPI_OPTIONS');
