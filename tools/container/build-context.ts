/**
 * Filters the files that `docker build` sends, by the rules of `.dockerignore`: the last matching pattern decides, and a
 * pattern also matches everything below a folder.
 */
export function buildContext(files: readonly string[], ignored: string) {
  const patterns = ignored
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isException: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return files.filter((file) => {
    const last = patterns.findLast(({ pattern }) => pattern.test(file));
    return last === undefined || last.isException;
  });
}

/** Translates a pattern of Go's `filepath.Match`, with `**` for any number of folders. */
function patternOf(pattern: string) {
  const source = pattern
    .replace(/^\/|\/$/g, '')
    .replace(/[.+^$()|{}[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}

/** Returns the sources of each COPY that reads the build context. */
export function copiedSources(dockerfile: string): string[] {
  return dockerfile
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
}
