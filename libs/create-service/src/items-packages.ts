import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Versions = Readonly<Record<string, string>>;

const DIRECT = ['@items/conventions', '@items/fields', '@items/service', '@items/conformance'];
const TARBALL = /^items-(.+)-\d+\.\d+\.\d+(?:-[\w.]+)?\.tgz$/;

/**
 * Until our packages are published, this package contains their tarballs in `vendor`, for the new repository.
 * Afterwards npm installs them from the registry.
 * @returns `overrides`: packages that the new service needs only indirectly; none if they are on the registry.
 */
export function itemsPackages(vendor = fileURLToPath(new URL('../vendor', import.meta.url))): {
  readonly specifiers: Versions;
  readonly overrides: Versions;
  readonly vendor: string | undefined;
} {
  if (!existsSync(vendor)) {
    const range = `^${ownVersion()}`;
    return { specifiers: Object.fromEntries(DIRECT.map((name) => [name, range])), overrides: {}, vendor: undefined };
  }
  const all = readdirSync(vendor).flatMap((file) => {
    const lib = TARBALL.exec(file)?.[1];
    return lib === undefined ? [] : [[`@items/${lib}`, `file:vendor/${file}`] as const];
  });
  return {
    specifiers: Object.fromEntries(all.filter(([name]) => DIRECT.includes(name))),
    overrides: Object.fromEntries(all.filter(([name]) => !DIRECT.includes(name))),
    vendor,
  };
}

/** All packages of a release have the same version. */
function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { readonly version: string }).version;
}
