export interface ConsoleOptions {
  readonly title: string;
}

export const CONSOLE_OPTIONS = Symbol('CONSOLE_OPTIONS');
