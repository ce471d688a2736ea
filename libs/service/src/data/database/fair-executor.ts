import { FairQueue } from '@items/conventions';
import { CredentialTurns, userOf } from '../fairness/fairness-key.js';

interface WaitingWork {
  readonly fairnessKey: string;
  readonly begin: () => void;
}

/**
 * Fair queue for expensive work with limited concurrency. A user has at most one running task, and the user who has
 * used the least time is next. Among the tasks of a user, logins go first, then the credentials take turns.
 */
export class FairExecutor {
  private free: number;
  private readonly runningUsers = new Set<string>();
  private readonly waiting = new FairQueue<WaitingWork>();
  private readonly credentials = new CredentialTurns();

  constructor(
    concurrency: number,
    private readonly tooLate: () => Error,
  ) {
    this.free = concurrency;
  }

  /** At the deadline the caller gets an error, but running work occupies its slot until it ends. */
  run<Result>(fairnessKey: string, deadlineMs: number, work: () => Promise<Result>): Promise<Result> {
    const user = userOf(fairnessKey);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.take((other) => other === waiting);
        reject(this.tooLate());
      }, deadlineMs - performance.now());
      const begin = (): void => {
        const beganAtMs = performance.now();
        void work()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
            this.waiting.charge(user, performance.now() - beganAtMs);
            this.free += 1;
            this.runningUsers.delete(user);
            this.beginNext();
          });
      };
      const waiting: WaitingWork = { fairnessKey, begin };
      this.waiting.push(user, waiting);
      this.beginNext();
    });
  }

  private beginNext(): void {
    while (this.free > 0) {
      const next = this.waiting.shift((user, pieces) =>
        this.runningUsers.has(user) ? undefined : this.credentials.choose(pieces),
      );
      if (next === undefined) return;
      this.credentials.recordTurn(next.fairnessKey);
      this.free -= 1;
      this.runningUsers.add(userOf(next.fairnessKey));
      next.begin();
    }
  }
}
