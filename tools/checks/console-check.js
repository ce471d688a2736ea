import { browserCheck } from './browser-check.js';

export const consoleCheck = browserCheck('console', 'The console, in Chromium', async (executablePath) => {
  const { checkConsole } = await import('../console/check-console.js');
  await checkConsole(executablePath);
});
