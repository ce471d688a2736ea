import { ApiError } from '@items/conventions';
import { validate } from '@items/fields';
import { type CallHandler, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { catchError, mergeMap, type Observable } from 'rxjs';

import type { EdgeAdapter } from '../edge-adapter.js';
import { bodyOf, type BodyRule, readBodyEarly } from '../json-body.js';
import { withoutServiceSchema } from '../response-schema.js';
import { ordinaryControllersOf } from '../plain-controller.decorator.js';
import { type ControllerMethod, handlersOf } from '../route-config.js';
import { ownControllers } from '../own-modules.js';
import { bodyForInterceptors } from './emitted-body.js';
import { type EnhancerKinds, globalKinds } from './enhanced-route.js';
import { ConversionFilter, toException } from './exceptions.js';

/** `RouteParamtypes.BODY` in the metadata of Nest. */
const BODY = '3';
const OWN_PARAMETERS = 'items:parameters';
/** Bodies that need no second validation, because their services have no pipes. */
const validated = new WeakSet<object>();

interface Parameter {
  readonly index: number;
}

/**
 * Makes controllers that use `@JsonBody()` and `@Exchange()` behave as any Nest controller under global interceptors,
 * pipes and filters: bodies are validated before interceptors run, pipes get them as `body`, interceptors get objects,
 * and filters get `HttpException`s. Without such enhancers, this class changes nothing.
 */
@Injectable()
export class EnhancedControllers {
  private kinds: EnhancerKinds | undefined;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly discovery: DiscoveryService,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
    private readonly modules: ModulesContainer,
  ) {}

  /** Returns the kinds of global enhancers, without those that this class adds. */
  get global(): EnhancerKinds {
    return (this.kinds ??= globalKinds(this.config));
  }

  /** Call it before Nest adds the routes of controllers. */
  prepare(): void {
    const { interceptors, pipes, filters } = this.global;
    const handlers = [...handlersOf(ordinaryControllersOf(this.discovery))];
    if (interceptors) for (const [, , method] of handlers) withoutServiceSchema(method);
    this.host.httpAdapter.beforeRoutes(() => {
      for (const [controller, name, method] of handlers) this.passBody(controller, name, method);
    });
    // The first interceptor reads the body. It runs after all guards, even request-scoped ones and those of handlers.
    if (interceptors || pipes || this.areMadePerRequest()) {
      this.config.getGlobalInterceptors().unshift({ intercept: (context, next) => this.readBody(context, next) });
    }
    if (filters) this.config.addGlobalFilter(new ConversionFilter(this.config, ownControllers(this.modules)));
    if (interceptors || filters) {
      this.config.addGlobalInterceptor({ intercept: (context, next) => this.convertResult(context, next) });
      if (interceptors) this.host.httpAdapter.compareBodies();
    }
  }

  private async readBody(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const rule = bodyOf(context.getHandler());
    if (rule !== undefined) {
      const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
      const body = await readBodyEarly(rule, request, reply);
      request.body = body;
      if (!this.global.pipes && rule.dto !== undefined) validated.add(body as object);
    }
    return next.handle();
  }

  /** The innermost interceptor: parses JSON for the others, and converts an `ApiError` for the filters. */
  private convertResult(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { interceptors, filters } = this.global;
    const result = next.handle();
    const converted = interceptors ? result.pipe(mergeMap((body) => bodyForInterceptors(reply, body))) : result;
    if (!filters) return converted;
    return converted.pipe(
      catchError((error: unknown) => {
        throw error instanceof ApiError ? toException(error, reply) : error;
      }),
    );
  }

  /** Nest creates a controller for each request if it or an enhancer is request-scoped. */
  private areMadePerRequest(): boolean {
    return this.discovery.getControllers().some((controller) => !controller.isDependencyTreeStatic());
  }

  /**
   * With pipes, changes metadata of the class, so that Nest treats `@JsonBody()` as `@Body()`. Services of one process
   * may share the class while they start. A service without pipes therefore restores the original metadata until the
   * next microtask. Request-scoped controllers read the metadata at their first request, so {@link readBody} reads
   * their body even without pipes.
   */
  private passBody(controller: Type, name: string, method: ControllerMethod): void {
    const rule = bodyOf(method);
    if (rule === undefined) return;
    const stored = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as Record<string, unknown>;
    const own = (Reflect.getMetadata(OWN_PARAMETERS, controller, name) ?? stored) as Record<string, Parameter>;
    Reflect.defineMetadata(OWN_PARAMETERS, own, controller, name);
    const use = (parameters: object): void => {
      Reflect.defineMetadata(ROUTE_ARGS_METADATA, parameters, controller, name);
    };
    if (this.global.pipes) {
      use(withBody(own, rule, this.host.httpAdapter.getInstance<FastifyInstance>()));
    } else if (stored !== own) {
      use(own);
      queueMicrotask(() => use(stored));
    }
  }
}

/** Replaces `@JsonBody()` by `@Body()`. The body is validated again after the pipes. */
function withBody(
  own: Readonly<Record<string, Parameter>>,
  { index, dto }: BodyRule,
  fastify: FastifyInstance,
): Record<string, Parameter> {
  const transform = (value: unknown): unknown =>
    dto === undefined || validated.has(value as object) ? value : validate(dto, value, fastify.enumOverrides);
  const body = { index, data: undefined, pipes: [{ transform }] };
  return Object.fromEntries(
    Object.entries(own).map(([key, parameter]) =>
      key.includes(CUSTOM_ROUTE_ARGS_METADATA) && parameter.index === index
        ? [`${BODY}:${String(index)}`, body]
        : [key, parameter],
    ),
  );
}
