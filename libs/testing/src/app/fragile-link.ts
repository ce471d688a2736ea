import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Mood = 'open' | 'frozen' | 'cut';

/**
 * A TCP link between a service and its database. A test can freeze it (no bytes get through, as behind a dead router),
 * cut it (connections are reset, and new ones too) or slow it.
 */
export class FragileLink {
  private mood: Mood = 'open';
  private delayMs = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (near) => this.join(near));
  }

  /** Listens on a free port of 127.0.0.1. */
  static to(host: string, port: number): Promise<FragileLink> {
    const server = createServer();
    const link = new FragileLink(server, { host, port });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(link));
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  freeze(): void {
    this.mood = 'frozen';
    for (const socket of this.sockets) socket.pause();
  }

  cut(): void {
    this.mood = 'cut';
    this.reset();
  }

  /** Delays all bytes by this time in each direction. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  /** Lets everything through again; frozen connections continue. */
  restore(): void {
    this.mood = 'open';
    this.delayMs = 0;
    for (const socket of this.sockets) socket.resume();
  }

  close(): Promise<void> {
    this.reset();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private join(near: Socket): void {
    if (this.mood === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(this.target);
    this.pass(near, far);
    this.pass(far, near);
    if (this.mood === 'frozen') near.pause();
  }

  private pass(from: Socket, to: Socket): void {
    this.sockets.add(from);
    // Keeps the order even if the delay changes.
    let sent = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      const dueMs = performance.now() + this.delayMs;
      sent = sent.then(async () => {
        const leftMs = dueMs - performance.now();
        if (leftMs > 0) await sleep(leftMs);
        if (to.writable) to.write(chunk);
      });
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }

  private reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }
}
