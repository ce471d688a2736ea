import type { ChangeRecorder, RecordedChange } from '../collections/change-recorder.js';
import type { StampedWrite } from '../collections/stamp-terms.js';

import { randomTail } from './event-id.js';

/** Records a change by its write: one row, whose id ends in this. */
interface Recorder {
  record(change: RecordedChange, tail: string): StampedWrite | undefined;
}

/** What is recorded of a change: its event, and who made it. Both have the same id. */
export class ChangeRecorders implements ChangeRecorder {
  readonly isFeedWhole: boolean;

  constructor(
    private readonly events: Recorder | undefined,
    private readonly audit: Recorder | undefined,
  ) {
    this.isFeedWhole = events !== undefined;
  }

  record(change: RecordedChange): readonly StampedWrite[] {
    const tail = randomTail('event');
    const [event, audit] = [this.events?.record(change, tail), this.audit?.record(change, tail)];
    return [...(event ? [event] : []), ...(audit ? [audit] : [])];
  }
}
