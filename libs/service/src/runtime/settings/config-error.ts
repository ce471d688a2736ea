/** Stops the start. The operator reads only its message, which is one sentence. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable} ${problem}, for example ${variable}=${example}.`);
    this.name = 'ConfigError';
  }
}
