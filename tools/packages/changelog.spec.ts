import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedChangelog } from './changelog.ts';

describe('CHANGELOG.md at a release', () => {
  it('lists the unreleased changes under the version and its day', () => {
    const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Mugs.\n\n## 1.0.0 (2026-11-23)\n\n- All of it.\n';
    expect(releasedChangelog(text, '1.1.0', '2026-12-24')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-12-24)\n\n### Added\n\n- Mugs.\n\n## 1.0.0 (2026-11-23)\n\n- All of it.\n',
    );
  });

  it('stops without a list of changes', () => {
    const text = '# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-11-23)\n\n- All of it.\n';
    expect(() => releasedChangelog(text, '1.1.0', '2026-12-24')).toThrow('nothing under "## Unreleased"');
    expect(() => releasedChangelog('# Changelog\n', '1.1.0', '2026-12-24')).toThrow('Unreleased');
  });

  it('is possible with the current file', () => {
    const text = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
    expect(text).toContain('\n## Unreleased\n');
  });
});
