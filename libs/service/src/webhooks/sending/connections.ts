import { type buildConnector, Client } from 'undici';

/** Idle time and age of a connection are short, so that the name is looked up again soon. */
const IDLE_MS = 250;
const MAX_AGE_MS = 10_000;

/** The time limit of the whole attempt (`withTimeout`) replaces undici's limits. */
const CLIENT = { keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS, headersTimeout: 0, bodyTimeout: 0 };

interface Connection {
  readonly client: Client;
  readonly origin: string;
  readonly bornMs: number;
  isOpen: boolean;
  isIdle: boolean;
}

/**
 * Connections to receivers. Each has one request at a time. They are `Client`s, because a `Pool` would reconnect after
 * a cancelled request.
 */
export class Connections {
  private readonly all = new Set<Connection>();
  private isClosed = false;

  constructor(private readonly connect: buildConnector.connector) {}

  /** After an error, the connection is not reused. @throws {Error} after {@link close}. */
  async use<T>(origin: string, work: (client: Client) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new Error('The sender is closed.');
    const connection = this.takeIdle(origin) ?? this.create(origin);
    try {
      const result = await work(connection.client);
      this.giveBack(connection);
      return result;
    } catch (error) {
      this.drop(connection);
      throw error;
    }
  }

  /** Waits for connections in use, and closes all. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.all].map(async ({ client }) => client.close()));
  }

  private create(origin: string): Connection {
    const client = new Client(origin, { ...CLIENT, connect: this.connect });
    const connection: Connection = { client, origin, bornMs: performance.now(), isOpen: false, isIdle: false };
    this.all.add(connection);
    client.on('connect', () => {
      connection.isOpen = true;
    });
    client.on('disconnect', () => {
      connection.isOpen = false;
      if (connection.isIdle) this.drop(connection);
    });
    return connection;
  }

  private giveBack(connection: Connection): void {
    const isOld = performance.now() - connection.bornMs > MAX_AGE_MS;
    if (this.isClosed || isOld || !connection.isOpen || connection.client.destroyed) this.drop(connection);
    else connection.isIdle = true;
  }

  private takeIdle(origin: string): Connection | undefined {
    for (const connection of this.all) {
      if (!connection.isIdle || connection.origin !== origin) continue;
      connection.isIdle = false;
      return connection;
    }
    return undefined;
  }

  private drop(connection: Connection): void {
    connection.isIdle = false;
    this.all.delete(connection);
    void connection.client.destroy();
  }
}
