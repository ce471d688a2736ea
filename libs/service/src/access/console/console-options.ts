export interface ConsoleOptions {
  readonly title: string;
}

/** Token under which Nest injects the {@link ConsoleOptions}. */
export const CONSOLE_OPTIONS = Symbol('CONSOLE_OPTIONS');
