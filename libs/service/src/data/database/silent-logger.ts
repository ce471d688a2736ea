import { AbstractLogger } from 'typeorm';

/** TypeORM's logger prints failed migrations even with `logging: false`. The service logs these errors itself. */
export class SilentLogger extends AbstractLogger {
  protected writeLog(): void {
    // Writes nothing.
  }
}
