import stopServers from '@items/testing/global-teardown';

export default async function stopRegistry() {
  globalThis.stopRegistry?.();
  const { endForgottenApps, FOLDER_OF_APPS } = await import('@items/testing');
  endForgottenApps(process.env[FOLDER_OF_APPS]);
  await stopServers();
}
