/** Specs of rare events take their time in the long form: `npm run check` sets it, `npm test` does not. */
export const isLongForm = process.env['LONG_FORM'] !== undefined;

/** Returns all faults in the long form, else each third. */
export function someOf<Fault>(faults: readonly Fault[]): readonly Fault[] {
  return isLongForm ? faults : faults.filter((_, index) => index % 3 === 0);
}
