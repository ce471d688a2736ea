export interface PassportStrategyObject {
  /** Calls one of `success`, `fail` and `error` of its `this`. */
  authenticate(request: unknown): void;
}

/**
 * Passport's own middleware uses a singleton per process for strategies, and requires a response of Express.
 * @returns Null if the strategy refuses the credential.
 */
export function runStrategy(strategy: PassportStrategyObject, request: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => resolve(null);
    const outcome = {
      success: resolve,
      fail: refuse,
      pass: refuse,
      redirect: refuse,
      error: reject,
    };
    const running = Object.assign(Object.create(strategy) as PassportStrategyObject, outcome);
    running.authenticate(request);
  });
}
