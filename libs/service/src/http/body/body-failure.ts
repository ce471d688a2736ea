import type { IncomingMessage } from 'node:http';

import type { ApiError } from '@items/conventions';

interface BodyState {
  failure?: ApiError;
  listener?: (failure: ApiError) => void;
}

/** Only requests whose body is being read or has failed. */
const states = new WeakMap<IncomingMessage, BodyState>();

function stateOf(message: IncomingMessage): BodyState {
  const state = states.get(message) ?? {};
  states.set(message, state);
  return state;
}

/**
 * Records that the rest of a body will never arrive: it is malformed or too late. The reader of the body then fails.
 */
export function failBody(message: IncomingMessage, failure: ApiError): void {
  const state = stateOf(message);
  state.failure = failure;
  state.listener?.(failure);
}

/** Calls the listener when the body fails; synchronously if it has already failed. */
export function onBodyFailure(message: IncomingMessage, listener: (failure: ApiError) => void): void {
  const state = stateOf(message);
  state.listener = listener;
  if (state.failure !== undefined) listener(state.failure);
}
