import type { ApiError } from '@items/conventions';
import type { VersionNotes } from '../http/versions/versions.js';

import type { ErrorForm } from './description/error-form.js';
import type { QuickStartStep } from './docs/quick-start.js';
import type { HeaderObject, InfoObject, Named, OpenApiDocument } from './openapi-document.js';
import type { HandlerRoute, RouteAccess } from './route.js';

/** What an API says of itself as a whole; all but its name and version may be left out. */
export interface OpenApiOptions {
  readonly info: InfoObject;
  /** Public address of the service, without a slash at its end; `/` where it is left out. */
  readonly baseUrl?: string;
  /** Where a browser that asks for `/` is led, as `createEdge()` has it; nowhere where it is left out. */
  readonly home?: string;
  /** What `Api-Version` may name, the current version first; without it, there is no such header. */
  readonly versions?: readonly string[];
  /** What the page of a version says; undefined for one that never was. Needs {@link OpenApiRoutes.versions}. SPEC §9 */
  readonly versionNotes?: (version: string) => VersionNotes | undefined;
  /** The ways to authenticate, by name. OpenAPI 3.1 §4.8.27 */
  readonly securitySchemes?: Named<object>;
  /** What a route asks of its callers; where it is left out, nothing. */
  readonly access?: (route: HandlerRoute) => RouteAccess;
  /** What any request may be refused with, whatever its path and its caller. */
  readonly refusals?: readonly ApiError[];
  /** How errors look on a path that has not the one form of all others, for methods that it does not have. */
  readonly errorFormAt?: (path: string) => ErrorForm | undefined;
  /** Headers of the API's own, and other words or examples for those that are described here. */
  readonly headers?: Named<Partial<Omit<HeaderObject, 'required'>>>;
  /** Parameter of a path → what it is, with an example where it is no id; others are ids. */
  readonly pathParameters?: Named<string | { readonly description: string; readonly example: string }>;
  /** Changes the document when it is made; what it is given must stay as it is. */
  readonly finish?: (document: OpenApiDocument) => OpenApiDocument;
  /** Whether the page links to a console at `/console`. */
  readonly console?: boolean;
  /** First steps, shown on the page. */
  readonly quickStart?: readonly QuickStartStep[];
}

/** What the routes of the document carry: an access rule, for example. */
export interface OpenApiRoutes {
  /** Of `/openapi.json` and `/docs`. */
  readonly documents?: readonly MethodDecorator[];
  /** Of the files of the page, below `/docs`. */
  readonly files?: readonly MethodDecorator[];
  /** Of `/docs/versions/{version}`; there are no such pages where it is left out. */
  readonly versions?: readonly MethodDecorator[];
}

/** Under it an application's options are found. */
export const OPENAPI_OPTIONS = Symbol('OPENAPI_OPTIONS');
