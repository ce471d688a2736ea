export class EndedTransactionError extends Error {
  override readonly name = 'EndedTransactionError';

  constructor() {
    super('The transaction has ended: use tx only inside the work that receives it, and await each call.');
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
