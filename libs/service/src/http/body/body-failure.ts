import type { IncomingMessage } from 'node:http';

import type { ApiError } from '@items/conventions';

interface BodyState {
  failure?: ApiError;
  listener?: (failure: ApiError) => void;
}

const states = new WeakMap<IncomingMessage, BodyState>();

function stateOf(message: IncomingMessage): BodyState {
  const state = states.get(message) ?? {};
  states.set(message, state);
  return state;
}

/** The rest of a body will never arrive: it is malformed or too late. Its reader then fails. */
export function failBody(message: IncomingMessage, failure: ApiError): void {
  const state = stateOf(message);
  state.failure = failure;
  state.listener?.(failure);
}

/** Calls the listener synchronously if the body has already failed. */
export function onBodyFailure(message: IncomingMessage, listener: (failure: ApiError) => void): void {
  const state = stateOf(message);
  state.listener = listener;
  if (state.failure !== undefined) listener(state.failure);
}
