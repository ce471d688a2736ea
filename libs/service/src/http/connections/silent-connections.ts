import type { Connection } from './connection.js';

/** Connections without a complete request, oldest first. */
export class SilentConnections {
  private readonly withinLimit = new Set<Connection>();
  private readonly beyondLimit = new Set<Connection>();
  private readonly byAddress = new Map<string, Set<Connection>>();

  add(connection: Connection): void {
    connection.isSilent = true;
    const { address } = connection;
    const ofAddress = this.byAddress.get(address) ?? new Set();
    this.byAddress.set(address, ofAddress.add(connection));
    this.orderOf(connection).add(connection);
  }

  delete(connection: Connection): void {
    if (!connection.isSilent) return;
    connection.isSilent = false;
    const { address } = connection;
    const ofAddress = this.byAddress.get(address);
    ofAddress?.delete(connection);
    if (ofAddress?.size === 0) this.byAddress.delete(address);
    this.orderOf(connection).delete(connection);
  }

  countOf(address: string): number {
    return this.byAddress.get(address)?.size ?? 0;
  }

  oldestOf(address: string): Connection | undefined {
    return this.first(this.byAddress.get(address) ?? []);
  }

  oldest(): Connection | undefined {
    return this.first(this.withinLimit);
  }

  oldestBeyond(): Connection | undefined {
    return this.first(this.beyondLimit);
  }

  private first(connections: Iterable<Connection>): Connection | undefined {
    for (const connection of connections) {
      if (connection.lastReceived?.complete !== true) return connection;
      // The connection has received a complete request.
      this.delete(connection);
    }
    return undefined;
  }

  private orderOf({ exceedsMaximum }: Connection): Set<Connection> {
    return exceedsMaximum ? this.beyondLimit : this.withinLimit;
  }
}
