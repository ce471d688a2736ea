/*
 * Import this first in scripts that people start, and use only syntax that an old Node understands: its message must
 * appear before a syntax error. The script then continues in this process, or in a newer Node.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `This project needs Node 22.16 or newer; from 20.19 on it fetches one. This is ${process.versions.node}.`,
  );
  process.exit(1);
}
if (major < 22 || (major === 22 && minor < 16)) {
  const { fetchedNode } = await import('./fetched-node.js');
  const { goOnIn } = await import('./go-on-in.js');
  await goOnIn(await fetchedNode());
}
