import { type RunningApp, startApp, type StartAppOptions } from '@items/testing';

/** An instance of the service that can be killed and started again at the same address. */
export class Instance {
  private constructor(
    private app: RunningApp,
    private readonly options: StartAppOptions,
  ) {}

  static async start(options: StartAppOptions): Promise<Instance> {
    return new Instance(await startApp(options), options);
  }

  get address(): string {
    return this.app.baseUrl;
  }

  get adminKey(): string {
    return this.app.adminKey;
  }

  /** Kills the process without cleanup, and starts another one. */
  async restart(): Promise<void> {
    await this.app.stop('SIGKILL');
    this.app = await startApp({ ...this.options, port: this.app.port });
  }

  pause(): void {
    this.app.process.signal('SIGSTOP');
  }

  resume(): void {
    this.app.process.signal('SIGCONT');
  }

  async stop(): Promise<void> {
    this.resume();
    await this.app.stop();
  }
}
