/** So many reads of one list are kept: a list has a few, by which of its sort keys are null and how long a read is. */
const CAPACITY = 100;

/** What was put together once for a list, by what tells its forms apart. */
export class KeptReads<Read> {
  private readonly kept = new Map<string, Read>();

  /** @param form of which there are few. */
  get(form: string, make: () => Read): Read {
    let read = this.kept.get(form);
    if (read === undefined) {
      read = make();
      if (this.kept.size < CAPACITY) this.kept.set(form, read);
    }
    return read;
  }
}
