/** Jest's global tear-down stops the servers that the set-up started. */
export default async function stopServers() {
  await Reflect.get(globalThis, 'stopServers')?.();
}
