/** The message is the one sentence that the operator reads. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable} ${problem}, for example ${variable}=${example}.`);
    this.name = 'ConfigError';
  }
}
