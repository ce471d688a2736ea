import stopServers from '@items/testing/global-teardown';

/** Stops the services of the set-up; the run fails if one does not stop cleanly, or has logged an error. */
export default async function stopServices() {
  const complaints = await Promise.all((globalThis.sharedServices ?? []).map(stop));
  await globalThis.endGiven?.();
  const { endForgottenApps, FOLDER_OF_APPS } = await import('@items/testing');
  endForgottenApps(process.env[FOLDER_OF_APPS]);
  await stopServers();
  const said = complaints.flat();
  if (said.length > 0) throw new Error(`The shared services have logged errors:\n${said.join('\n')}`);
}

async function stop(app) {
  const mistakes = app.process.log().split('\n').filter(isMistake).slice(0, 20);
  const { code, signal } = await app.stop();
  return code === 0 ? mistakes : [...mistakes, `ended with code ${code}, signal ${signal}`];
}

/** Finds a 5xx, an error in the log, or a crash. */
function isMistake(line) {
  return /"status":5\d\d|"level":"(error|fatal)"|uncaught|unhandled/i.test(line);
}
