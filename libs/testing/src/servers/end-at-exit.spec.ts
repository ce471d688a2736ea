import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { endAtExit } from './end-at-exit.js';

describe('A program that ends with this process', () => {
  it('leaves no listener on the process once it has ended', async () => {
    const before = process.listenerCount('exit');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    endAtExit(child, 'SIGKILL');
    expect(process.listenerCount('exit')).toBe(before + 1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(process.listenerCount('exit')).toBe(before);
  });
});
