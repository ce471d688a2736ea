/** So many reads of one list are kept: a list has a few, by which of its sort keys are null and how long a read is. */
const CAPACITY = 100;
/** A longer form, for it holds long values of a filter, is put together each time. */
const MAX_FORM_LENGTH = 1024;

/** What was put together once for a list, by what tells its forms apart. Those used longest ago go first. */
export class CachedReads<Read> {
  private readonly kept = new Map<string, Read>();
  /** The last one in the order of the map. */
  private latest = '';

  /** @param form of which there are few. */
  get(form: string, make: () => Read): Read {
    const known = this.kept.get(form);
    // Most often it is the one of the request before.
    if (known !== undefined && form === this.latest) return known;
    const read = known ?? make();
    if (form.length > MAX_FORM_LENGTH) return read;
    if (known !== undefined) this.kept.delete(form);
    else if (this.kept.size === CAPACITY) this.forgetOldest();
    this.kept.set(form, read);
    this.latest = form;
    return read;
  }

  private forgetOldest(): void {
    for (const oldest of this.kept.keys()) {
      this.kept.delete(oldest);
      return;
    }
  }
}
