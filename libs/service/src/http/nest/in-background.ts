import type { BackgroundWork } from '../../data/background/background-work.js';
import type { BeforeApplicationShutdown, FactoryProvider, OnModuleInit, Type } from '@nestjs/common';

/** Stops the work before anything is closed. */
class BackgroundRunner implements OnModuleInit, BeforeApplicationShutdown {
  constructor(private readonly work: BackgroundWork) {}

  onModuleInit(): void {
    this.work.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.work.stop();
  }
}

/**
 * Runs a provider as background work of the app.
 * @example
 * providers: [LastUseWriter, inBackground(LastUseWriter)]
 */
export function inBackground(provided: Type<BackgroundWork>): FactoryProvider {
  return {
    provide: Symbol(`${provided.name} in the background`),
    inject: [provided],
    useFactory: (work: BackgroundWork) => new BackgroundRunner(work),
  };
}
