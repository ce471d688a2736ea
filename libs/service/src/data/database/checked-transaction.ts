import type { Origin } from './origin.js';

export class EndedTransactionError extends Error {
  override readonly name = 'EndedTransactionError';

  constructor() {
    super('The transaction has ended: its tx can be used only until the work that it was given to is done.');
  }
}

export class FailedTransactionError extends Error {
  override readonly name = 'FailedTransactionError';

  constructor(cause: unknown) {
    super(
      'The transaction could not be committed: a statement in it had failed. ' +
        'Run a statement whose error you want to catch inside tx.savepoint().',
      { cause },
    );
  }
}

/** After a failed statement outside of a savepoint, a transaction can only be rolled back. */
export abstract class CheckedTransaction {
  protected hasEnded = false;
  /** An object, because the cause may be undefined. */
  protected failure: { readonly cause: unknown } | undefined;

  constructor(
    public origin: Origin | undefined,
    readonly database?: object,
  ) {}

  requireOpen(): void {
    if (this.hasEnded) throw new EndedTransactionError();
    if (this.failure !== undefined) throw new FailedTransactionError(this.failure.cause);
  }

  /** Other transactions use the connection from now on. */
  end(): void {
    this.hasEnded = true;
  }
}
