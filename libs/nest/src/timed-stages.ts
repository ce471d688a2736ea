import { isPromise } from '@items/conventions';
import type { CanActivate } from '@nestjs/common';

import type { RouteParts } from './compiled-route.js';

/** Told of each part of a request when it is over, well or not. @param beganAtMs on the clock of `performance`. */
export type StageListener = (stage: 'guard' | 'body', beganAtMs: number) => void;

/** The same route, whose guards and body tell how long they took. */
export function timedStages(parts: RouteParts, onStage: StageListener): RouteParts {
  const { guards, metadata } = parts;
  const parameters = metadata.parameters.map((parameter) => timedParameter(parameter, onStage));
  return { ...parts, guards: guards.map((guard) => timedGuard(guard, onStage)), metadata: { ...metadata, parameters } };
}

function timedGuard(guard: CanActivate, onStage: StageListener): CanActivate {
  return {
    canActivate: (context) => {
      const beganAtMs = performance.now();
      return timed(
        () => guard.canActivate(context),
        () => {
          onStage('guard', beganAtMs);
        },
      );
    },
  };
}

type Parameter = RouteParts['metadata']['parameters'][number];

/** One that is waited for is a body. */
function timedParameter(parameter: Parameter, onStage: StageListener): Parameter {
  return (context) => {
    const beganAtMs = performance.now();
    const value = parameter(context);
    if (!isPromise(value)) return value;
    return value.finally(() => {
      onStage('body', beganAtMs);
    });
  };
}

function timed<T>(run: () => T, onEnd: () => void): T {
  let value: T;
  try {
    value = run();
  } catch (error) {
    onEnd();
    throw error;
  }
  if (isPromise(value)) return value.finally(onEnd) as T;
  onEnd();
  return value;
}
