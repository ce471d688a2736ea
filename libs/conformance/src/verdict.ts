import { type Exchange } from './service/exchange.js';

/** The service violates the sentence; `exchange` is the smallest example. */
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

/** The service lacks the subject of the sentence; the message is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** The service dropped a connection and refuses new ones since then. */
export class ServiceGone extends NotApplicable {}

/** The tool cannot judge: no response, a wrong address, a refused credential. The message is one sentence. */
export class CannotJudge extends Error {
  override readonly name = 'CannotJudge';
}
