import { StartRefusedError } from '../../data/definition/start-refused.js';
import type { AccessRule, AnyScope, ScopeName } from './access-rule.js';

export type AccessEntry =
  | 'public'
  | 'authenticated'
  | { readonly scope: ScopeName }
  | { readonly anyScope: readonly [ScopeName, ...ScopeName[]] };

/**
 * Access rules by method and path, for routes without decorators. A trailing `*` matches any suffix. The longest path
 * wins.
 * @example { 'GET /swagger*': 'public', 'GET /reports': { scope: 'books:read' } }
 */
export type AccessEntries = Readonly<Record<string, AccessEntry>>;

interface Entry {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly rule: AccessRule;
}

const UPGRADE = 'UPGRADE';
const KEY = /^([A-Z]+) (\/[^\s*]*\*?)$/;

export class AccessTable {
  private readonly entries: readonly Entry[];
  private readonly used = new Set<Entry>();

  constructor(entries: AccessEntries = {}) {
    this.entries = Object.entries(entries)
      .map(([key, entry]) => toEntry(key, entry))
      .sort((one, other) => other.path.length - one.path.length);
  }

  ruleOf(method: string, path: string): AccessRule | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const entry = this.entries.find((each) => each.method === wanted && matches(each.path, path));
    if (entry !== undefined) this.used.add(entry);
    return entry?.rule;
  }

  get upgradeRules(): readonly AccessRule[] {
    return this.entries.filter(({ method }) => method === UPGRADE).map(({ rule }) => rule);
  }

  requireUsed(hasGateway: boolean): void {
    const isUsed = (entry: Entry): boolean => (entry.method === UPGRADE ? hasGateway : this.used.has(entry));
    const unused = this.entries.find((entry) => !isUsed(entry));
    if (unused === undefined) return;
    throw new StartRefusedError(
      unused.method === UPGRADE
        ? `The option access names "${unused.key}", and no WebSocket gateway listens: call app.useWebSocketAdapter(new WsAdapter(app)) in the option configure, or remove the entry.`
        : `The option access names "${unused.key}", but no plugin registers such a route: correct the path, or remove the entry.`,
    );
  }
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function toEntry(key: string, entry: AccessEntry): Entry {
  const [, method, path] = KEY.exec(key) ?? [];
  const rule = toRule(entry);
  if (method !== undefined && path !== undefined && rule !== undefined) return { key, method, path, rule };
  throw new StartRefusedError(
    `The option access has no valid entry "${key}": write it as 'GET /reports*': 'public', 'authenticated', { scope } or { anyScope }.`,
  );
}

function toRule(entry: AccessEntry): AccessRule | undefined {
  if (entry === 'public' || entry === 'authenticated') return entry;
  if (typeof entry !== 'object') return undefined;
  if ('scope' in entry) return entry.scope as AccessRule;
  return entry.anyScope.length > 0 ? (entry.anyScope as AnyScope) : undefined;
}
