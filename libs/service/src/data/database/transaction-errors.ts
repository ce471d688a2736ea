/** A statement came after its transaction had been committed or rolled back. */
export class EndedTransactionError extends Error {
  override readonly name = 'EndedTransactionError';

  constructor() {
    super('The transaction has ended: its tx can be used only until the work that it was given to is done.');
  }
}

/** A statement of a transaction failed, and its work has caught the error. */
export class FailedTransactionError extends Error {
  override readonly name = 'FailedTransactionError';

  /** @param cause of the first statement that failed. */
  constructor(cause: unknown) {
    super(
      'The transaction could not be committed: a statement in it had failed. ' +
        'What may fail, and is to be caught, must stand in tx.savepoint(…).',
      { cause },
    );
  }
}
