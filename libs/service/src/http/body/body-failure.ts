import type { IncomingMessage } from 'node:http';

import type { ApiError } from '@items/conventions';

interface BodyState {
  failure?: ApiError;
  listener?: (failure: ApiError) => void;
}

/** By request, and only of those whose body is being read or has failed. */
const states = new WeakMap<IncomingMessage, BodyState>();

function stateOf(message: IncomingMessage): BodyState {
  const state = states.get(message) ?? {};
  states.set(message, state);
  return state;
}

/** Says that the rest of a body will never come: it is not HTTP, or it is late. The reader of the body answers that. */
export function failBody(message: IncomingMessage, failure: ApiError): void {
  const state = stateOf(message);
  state.failure = failure;
  state.listener?.(failure);
}

/** Calls the listener when the body fails, at once where it has failed already. */
export function onBodyFailure(message: IncomingMessage, listener: (failure: ApiError) => void): void {
  const state = stateOf(message);
  state.listener = listener;
  if (state.failure !== undefined) listener(state.failure);
}
