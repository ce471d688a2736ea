import type { createClient } from '../../index.js';
import type { createReplica, Replica } from '../index.js';
import { crashingStore, type Disk, type StoreMutation } from './crashing-store.testing.js';
import { FaultyNetwork, type Life } from './faulty-network.testing.js';
import { ModelOfService, type ModelRow } from './model-of-service.testing.js';
import { Seeded } from './seeded.testing.js';
import { VirtualTime } from './virtual-time.testing.js';
import { Witness } from './witness.testing.js';

/** The client to simulate, or a mutant of it. */
export interface Subject {
  readonly createClient: typeof createClient;
  readonly createReplica: typeof createReplica;
  readonly store?: StoreMutation;
}

/** A running program with a replica. */
interface Program {
  readonly life: Life;
  readonly replica: Replica<ModelRow>;
  readonly witness: Witness;
}

const EPISODES = 14;
/** Maximum time between a write and its listing in the feed: 0 on SQLite, 5 s on PostgreSQL. */
const LAGS_MS = [0, 5000];
/** Resolutions of `updated_at`. */
const TICKS_MS = [1, 1000];
/** Maximum delay of a write in the copy: 1 s, plus the slowest requests of two pages and the calls of the store. */
const REST_MS = 2000;

/**
 * Simulates a service with writers, a network with faults, and a program with a replica that crashes and restarts.
 * @throws {Error} The copy is wrong. The same seed fails in the same way.
 */
export async function simulate(seed: number, subject: Subject): Promise<void> {
  const time = new VirtualTime();
  time.install();
  try {
    await new Simulation(new Seeded(seed), time, subject).run();
  } finally {
    time.restore();
  }
}

class Simulation {
  private readonly lagMs: number;
  private readonly service: ModelOfService;
  private readonly network: FaultyNetwork;
  private readonly disk: Disk = { rows: [], position: '', isSlow: true };
  private failure: Error | undefined;
  private program: Program;

  constructor(
    private readonly random: Seeded,
    private readonly time: VirtualTime,
    private readonly subject: Subject,
  ) {
    this.lagMs = random.pick(LAGS_MS);
    this.service = new ModelOfService(time, random, this.lagMs, random.pick(TICKS_MS));
    this.network = new FaultyNetwork(time, random, this.service);
    this.program = this.launch();
  }

  async run(): Promise<void> {
    for (let writes = this.random.below(12); writes > 0; writes -= 1) this.service.write();
    for (let episode = 0; episode < EPISODES; episode += 1) await this.episode();
    await this.heal();
    // Longer than two of the longest pauses.
    await this.pass(120_000);
    this.compare();
    const stored = [...this.disk.rows].sort((one, two) => (one.id < two.id ? -1 : 1));
    if (JSON.stringify(stored) !== this.service.walkNow()) throw new Error('The stored rows differ from a walk');
    void this.program.replica.stop();
    await this.pass(10_000);
  }

  /** Lets some seconds pass with random faults and writes. */
  private async episode(): Promise<void> {
    const { random, service, network } = this;
    network.faults = random.pick([0, 0, 0.1, 0.5]);
    network.isDown = random.chance(0.1);
    if (random.chance(0.2)) service.takeBackup();
    if (random.chance(0.15)) service.restoreBackup();
    if (random.chance(0.15)) service.expire();
    if (this.lagMs > 0 && random.chance(0.25)) await this.loseFreshWrites();
    service.access = random.chance(0.08) ? random.pick([401, 403]) : 200;
    if (random.chance(0.15)) await this.stopAndStart();
    for (let writes = random.below(20); writes > 0; writes -= 1) this.later(() => service.write());
    if (random.chance(0.6)) this.later(() => this.crash());
    await this.pass(random.between(1000, 12_000));
    if (random.chance(0.1)) await this.rest();
  }

  /** Restores a backup that lacks writes which a load has shown, before or after the feed lists them. */
  private async loseFreshWrites(): Promise<void> {
    const { random, service } = this;
    service.expire();
    await this.pass(random.between(0, 1000));
    service.takeBackup();
    for (let writes = 1 + random.below(4); writes > 0; writes -= 1) service.write();
    await this.pass(random.between(500, this.lagMs / 2));
    // The first request of another program does not wait, so it shows the feed before the writes are listed.
    if (random.chance(0.5)) this.crash();
    await this.pass(random.between(500, this.lagMs));
    service.restoreBackup();
  }

  /** Pauses the writers and removes all faults. Later writes must then reach the copy quickly. */
  private async rest(): Promise<void> {
    await this.heal();
    this.disk.isSlow = false;
    // Enough time for all hanging requests and the longest pauses to end.
    await this.pass(100_000);
    for (let writes = this.random.below(40); writes > 0; writes -= 1) this.later(() => this.service.write());
    await this.pass(8000);
    await this.pass(this.lagMs + REST_MS);
    this.compare();
    this.disk.isSlow = true;
  }

  private async heal(): Promise<void> {
    Object.assign(this.network, { faults: 0, isDown: false });
    this.service.access = 200;
    // A request in progress may still be refused.
    await this.pass(5000);
    if (['forbidden', 'stopped'].includes(this.program.replica.status)) this.start(this.program);
  }

  private later(act: () => void): void {
    this.time.after(this.random.between(0, 8000), act);
  }

  private async pass(ms: number): Promise<void> {
    await this.time.pass(ms, () => {
      this.guard(() => this.program.witness.check());
      if (this.program.life.open > 1) this.failure ??= new Error('Two requests are open');
    });
    if (this.failure !== undefined) throw this.failure;
  }

  private launch(): Program {
    const life: Life = { isOver: false, open: 0, sentAtMs: [] };
    const client = this.subject.createClient({
      baseUrl: 'http://localhost',
      auth: { apiKey: 'key' },
      fetch: this.network.fetchOf(life),
      retry: { random: this.random.next },
    });
    const replica = this.subject.createReplica<ModelRow>({
      source: client.collection<ModelRow>('items', { events: 'item' }),
      store: crashingStore(this.disk, life, this.time, this.random, this.subject.store),
      onStatus: (status) => this.guard(() => witness.onStatus(status)),
      onError: (error) => {
        // Errors of a listener arrive here.
        if (error instanceof Error && error.constructor === Error) this.failure ??= error;
      },
    });
    const witness = new Witness(replica);
    const program = { life, replica, witness };
    this.start(program);
    return program;
  }

  private start({ replica }: Program): void {
    replica.start().catch(() => undefined);
  }

  private crash(): void {
    this.program.life.isOver = true;
    this.program = this.launch();
  }

  private async stopAndStart(): Promise<void> {
    const { replica, life } = this.program;
    // This promise never settles if the program crashes first.
    void replica.stop();
    await this.pass(10_000);
    const before = life.sentAtMs.length;
    await this.pass(3000);
    if (life.sentAtMs.length !== before) throw new Error('A stopped replica sends requests');
    if (!life.isOver) this.start(this.program);
  }

  private compare(): void {
    const { replica } = this.program;
    if (replica.status !== 'following') throw new Error(`The replica is ${replica.status} at rest`);
    if (JSON.stringify(replica.all()) !== this.service.walkNow()) throw new Error('The rows differ from a walk');
  }

  private guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.failure ??= error as Error;
    }
  }
}
