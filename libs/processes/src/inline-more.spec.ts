import { execFileSync } from 'node:child_process';

import { INLINING } from './inline-more.js';

describe('The flag of V8 by which it puts more functions into one', () => {
  it('is one that this V8 knows: it would say so on standard error, and go on without it', () => {
    expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain(`  ${INLINING} (`);
  });
});
