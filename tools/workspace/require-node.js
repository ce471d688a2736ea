/*
 * Imported before anything else by what people start by hand, and kept in a form that an old Node understands: its
 * sentence must reach them before a syntax error does.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`This project needs Node 20.19 or newer (24 is recommended); this is Node ${process.versions.node}.`);
  process.exit(1);
}
