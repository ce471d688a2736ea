import { Outage } from '../../data/outages/outage.js';
import type { StoreLog } from '../../data/outages/store-log.js';

const WORDS = { begins: 'is overloaded', continues: 'is still overloaded', ends: 'is not overloaded any more' };

/** Logs an overload at the first refused request, every minute, and at the end with the number of refused requests. */
export class OverloadLog {
  private readonly outage: Outage;

  constructor(log: StoreLog) {
    this.outage = new Outage(log, 'The service', '; requests that wait too long get 503', WORDS);
  }

  refused(isBehindDatabase: boolean): void {
    this.outage.fail(`requests wait for ${isBehindDatabase ? 'the database' : 'the CPU time of this process'}`);
  }

  relieved(): void {
    this.outage.succeed();
  }
}
