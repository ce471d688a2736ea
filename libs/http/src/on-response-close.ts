import type { ServerResponse } from 'node:http';

/** Told when an answer is over, whether it went out or its client left. */
export type CloseListener = (response: ServerResponse) => void;

const HEARERS = Symbol('told when it is over');
type Heard = ServerResponse & { [HEARERS]?: CloseListener[] };

/** One function for all answers: it finds those who are to be told through the one that it is called on. */
function onClose(this: Heard): void {
  for (const hear of this[HEARERS] ?? []) hear(this);
}

/**
 * Tells when an answer is over, in the order in which it was asked for. Each listener costs an answer more than what most
 * of ours do, so there is one for all of them; for the same reason they are given the answer, and need be made only once.
 */
export function onResponseClose(response: ServerResponse, hear: CloseListener): void {
  const heard: Heard = response;
  if (heard[HEARERS] !== undefined) heard[HEARERS].push(hear);
  else {
    heard[HEARERS] = [hear];
    heard.on('close', onClose);
  }
}
