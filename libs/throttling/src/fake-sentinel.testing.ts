import { createServer, type Server, type Socket } from 'node:net';

/** A Sentinel for tests: names one master, and announces a failover. */
export class FakeSentinel {
  /** The response that names the master waits for this promise. */
  gate: Promise<void> = Promise.resolve();
  /** Number of requests for the master. */
  asked = 0;
  private readonly subscribers = new Set<Socket>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly masterPort: number) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.subscribers.delete(socket));
      let received = '';
      socket.on('data', (data) => {
        received += data.toString();
        let command: string[] | undefined;
        while ((command = commandIn(received)) !== undefined) {
          received = received.slice(written(...command).length);
          void this.answer(socket, command.join(' ').toLowerCase());
        }
      });
    });
  }

  static async start(masterPort: number): Promise<FakeSentinel> {
    const sentinel = new FakeSentinel(masterPort);
    await new Promise<void>((resolve) => sentinel.server.listen(0, '127.0.0.1', resolve));
    return sentinel;
  }

  get url(): string {
    const { port } = this.server.address() as { port: number };
    return `redis+sentinel://127.0.0.1:${String(port)}?master=items`;
  }

  /** Clients that subscribed to failovers. */
  get listeners(): number {
    return this.subscribers.size;
  }

  /** Announces another master. */
  announce(): void {
    for (const socket of this.subscribers) socket.write(written('message', '+switch-master', 'items'));
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(socket: Socket, command: string): Promise<void> {
    if (command.startsWith('sentinel get-master-addr-by-name')) {
      this.asked += 1;
      await this.gate;
      socket.write(written('127.0.0.1', String(this.masterPort)));
    } else if (command.startsWith('subscribe')) {
      this.subscribers.add(socket);
      socket.write('*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n');
    } else {
      socket.write(command.startsWith('sentinel') ? '*0\r\n' : '+OK\r\n');
    }
  }
}

/** An array of texts in the protocol of Redis. */
function written(...texts: readonly string[]): string {
  return [`*${String(texts.length)}`, ...texts.flatMap((text) => [`$${String(text.length)}`, text]), ''].join('\r\n');
}

/** @returns undefined if the first command is incomplete. */
function commandIn(received: string): string[] | undefined {
  const lines = received.split('\r\n');
  const count = Number(lines[0]?.slice(1));
  return lines.length > 2 * count + 1 ? Array.from({ length: count }, (_, n) => lines[2 * n + 2] ?? '') : undefined;
}
