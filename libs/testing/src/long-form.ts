/** Whether specs of rare events run in their long form, as in `npm run check`, but not in `npm test`. */
export const isLongForm = process.env['LONG_FORM'] !== undefined;

/** Returns all faults in the long form, else every third. */
export function someOf<Fault>(faults: readonly Fault[]): readonly Fault[] {
  return isLongForm ? faults : faults.filter((_, index) => index % 3 === 0);
}
