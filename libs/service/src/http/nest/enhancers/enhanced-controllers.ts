import { ApiError } from '@items/conventions';
import { type DtoClass, validate } from '@items/fields';
import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, GUARDS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost, MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { catchError, mergeMap, type Observable } from 'rxjs';

import type { EdgeAdapter } from '../edge-adapter.js';
import { bodyOf, readBodyEarly } from '../json-body.js';
import { withoutServiceSchema } from '../response-schema.js';
import type { ControllerMethod } from '../route-config.js';
import { ownControllers } from '../own-controllers.js';
import { toException } from './api-exception.js';
import { ConversionFilter } from './conversion-filter.js';
import { noteOriginal, valueOf } from './emitted-body.js';
import type { EnhancerKinds } from './enhanced-route.js';
import { globalKinds } from './global-kinds.js';

/** `RouteParamtypes.BODY` in the metadata of Nest. */
const BODY = '3';
/** Metadata key of the parameters as their decorators declared them. */
const OWN_PARAMETERS = 'items:parameters';

interface Parameter {
  readonly index: number;
}

/**
 * Makes controllers that use `@JsonBody()` and `@Exchange()` behave as any controller of Nest under global interceptors, pipes
 * and filters: bodies are validated before interceptors run, pipes get them as `body`, interceptors get objects, and filters
 * get `HttpException`s. Without such enhancers it changes nothing.
 */
@Injectable()
export class EnhancedControllers {
  private readonly scanner = new MetadataScanner();
  private kinds: EnhancerKinds | undefined;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly discovery: DiscoveryService,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
    private readonly modules: ModulesContainer,
  ) {}

  /** The kinds of global enhancers of the application, without those that this class adds. */
  get global(): EnhancerKinds {
    return (this.kinds ??= globalKinds(this.config));
  }

  /** Call it before Nest adds the routes of controllers. */
  prepare(): void {
    const { interceptors, pipes, filters } = this.global;
    for (const [controller, name, method] of this.handlers()) {
      this.passBody(controller, name, method);
      if (interceptors) withoutServiceSchema(method);
    }
    if (interceptors || pipes) this.config.addGlobalGuard(new BodyGuard());
    if (filters) this.config.addGlobalFilter(new ConversionFilter(this.config, ownControllers(this.modules)));
    if (interceptors || filters) {
      this.config.addGlobalInterceptor(new ResultInterceptor(interceptors, filters));
      if (interceptors) this.host.httpAdapter.compareBodies();
    }
  }

  private *handlers(): Generator<[controller: Type, name: string, method: ControllerMethod]> {
    for (const { metatype } of this.discovery.getControllers()) {
      const prototype = (metatype as Type).prototype as Record<string, ControllerMethod>;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        if (prototype[name] !== undefined) yield [metatype as Type, name, prototype[name]];
      }
    }
  }

  /**
   * Lets Nest treat the parameter with `@JsonBody()` as one with `@Body()` if there are pipes. The metadata belongs to the class,
   * which other services of the process may share: each sets it when it starts.
   */
  private passBody(controller: Type, name: string, method: ControllerMethod): void {
    const rule = bodyOf(method);
    if (rule === undefined || !isReadEarly(controller, method)) return;
    const stored = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as Record<string, unknown>;
    const known = (Reflect.getMetadata(OWN_PARAMETERS, controller, name) ?? stored) as Record<string, Parameter>;
    Reflect.defineMetadata(OWN_PARAMETERS, known, controller, name);
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const passed = Object.entries(known).map(([key, parameter]) =>
      this.global.pipes && key.includes(CUSTOM_ROUTE_ARGS_METADATA) && parameter.index === rule.index
        ? [`${BODY}:${String(rule.index)}`, bodyParameter(fastify, rule.index, rule.dto)]
        : [key, parameter],
    );
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(passed), controller, name);
  }
}

function bodyParameter(fastify: FastifyInstance, index: number, dto: DtoClass | undefined): object {
  const validation: PipeTransform = {
    transform: (value: unknown) => (dto === undefined ? value : validate(dto, value, fastify.enumOverrides)),
  };
  return { index, data: undefined, pipes: [validation] };
}

/** Whether the body may be read when the global guards have run: the handler has no guards of its own, which come after them. */
function isReadEarly(controller: object, handler: object | undefined): boolean {
  return [controller, handler].every((target) => target === undefined || !Reflect.hasMetadata(GUARDS_METADATA, target));
}

/** Reads and validates the body after the other global guards, and before interceptors. */
class BodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<true> {
    const rule = bodyOf(context.getHandler());
    if (rule !== undefined && isReadEarly(context.getClass(), context.getHandler())) {
      const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
      request.body = await readBodyEarly(rule, request, reply);
    }
    return true;
  }
}

/** The innermost interceptor: it gives the others objects and filters exceptions. */
class ResultInterceptor implements NestInterceptor {
  constructor(
    private readonly hasInterceptors: boolean,
    private readonly hasFilters: boolean,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    let result = next.handle();
    if (this.hasInterceptors) {
      result = result.pipe(
        mergeMap(async (body) => {
          const value = await valueOf(body);
          noteOriginal(request, reply, value);
          return value;
        }),
      );
    }
    if (!this.hasFilters) return result;
    return result.pipe(
      catchError((error: unknown) => {
        throw error instanceof ApiError ? toException(error, reply) : error;
      }),
    );
  }
}
