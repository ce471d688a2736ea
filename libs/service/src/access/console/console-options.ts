/** Options of the console. */
export interface ConsoleOptions {
  /** Name of the service. */
  readonly title: string;
}

/** Token under which Nest injects the {@link ConsoleOptions}. */
export const CONSOLE_OPTIONS = Symbol('CONSOLE_OPTIONS');
