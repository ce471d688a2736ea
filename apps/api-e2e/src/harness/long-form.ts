/** Whether specs that look for what is rare take their time: `npm run check` sets it, `npm test` does not. */
export const isLongForm = process.env['LONG_FORM'] !== undefined;
