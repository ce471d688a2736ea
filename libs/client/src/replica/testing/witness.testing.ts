import type { Replica, ReplicaStatus } from '../index.js';
import type { ModelRow } from './model-of-service.testing.js';

/** Maximum number of deletions in a page of the model's feed. */
const MAX_DELETED = 3;

/** Watches a replica and throws if it breaks a rule. */
export class Witness {
  private readonly mirror = new Map<string, ModelRow>();
  private readonly gone = new Set<string>();
  /** The rows at the start of a reload; undefined without one. */
  private held: string | undefined;
  private wasComplete = false;

  constructor(private readonly replica: Replica<ModelRow>) {
    replica.subscribe(({ upserted, deleted }) => {
      const mayGoBack = this.held !== undefined;
      if (!mayGoBack && deleted.length > MAX_DELETED) throw new Error('The copy was emptied');
      for (const row of upserted) this.see(row, mayGoBack);
      for (const id of deleted) {
        if (!this.mirror.delete(id)) throw new Error(`The deletion of the unknown row ${id} was published`);
        this.gone.add(id);
      }
      this.wasComplete = true;
    });
  }

  onStatus(status: ReplicaStatus): void {
    if (status === 'loading' && this.wasComplete) {
      this.held = JSON.stringify(this.replica.all());
      // A restored backup may contain deleted rows again.
      this.gone.clear();
    } else if (status === 'following') this.held = undefined;
  }

  /** Called after each step of the simulation. */
  check(): void {
    const shown = JSON.stringify(this.replica.all());
    const mirrored = JSON.stringify([...this.mirror.values()].sort((one, two) => (one.id < two.id ? -1 : 1)));
    if (shown !== mirrored) throw new Error('A change was not published, or published differently');
    if (this.replica.status === 'loading' && this.held !== undefined && shown !== this.held) {
      throw new Error('The rows have changed during a reload');
    }
  }

  private see(row: ModelRow, mayGoBack: boolean): void {
    const known = this.mirror.get(row.id);
    if (JSON.stringify(known) === JSON.stringify(row)) throw new Error(`The unchanged row ${row.id} was published`);
    if (!mayGoBack && known !== undefined && row.price <= known.price) {
      throw new Error(`Row ${row.id} goes back from ${String(known.price)} to ${String(row.price)}`);
    }
    if (!mayGoBack && this.gone.has(row.id)) throw new Error(`The deleted row ${row.id} is shown again`);
    this.mirror.set(row.id, row);
  }
}
