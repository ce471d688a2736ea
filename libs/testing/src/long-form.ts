/** Whether specs that look for what is rare take their time: `npm run check` sets it, `npm test` does not. */
export const isLongForm = process.env['LONG_FORM'] !== undefined;

/** Of faults that a check must notice, all in the long form; else each third. */
export function someOf<Fault>(faults: readonly Fault[]): readonly Fault[] {
  return isLongForm ? faults : faults.filter((_, index) => index % 3 === 0);
}
