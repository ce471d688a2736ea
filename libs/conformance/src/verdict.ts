import { type Exchange } from './service/exchange.js';

/** The service does otherwise than the sentence says; `exchange` is the smallest one that shows it. */
export class Unmet extends Error {
  override readonly name = 'Unmet';

  constructor(
    readonly exchange: Exchange,
    readonly expected: string,
    readonly came: string,
  ) {
    super(`expected ${expected}, came ${came}`);
  }
}

/** The sentence speaks of something that this service does not have; the message is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** The tool cannot judge: nothing answers, a wrong address, a refused credential. The message is one plain sentence. */
/** The service dropped a connection and refuses new ones since then. */
export class ServiceGone extends NotApplicable {}

export class CannotJudge extends Error {
  override readonly name = 'CannotJudge';
}
