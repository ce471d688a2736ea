import { SCOPES } from '@items/dtos/contract';
import type { EnumOverrides } from '@items/fields';
import type { OpenApiDocument } from '../../document/openapi-document.js';

import { enumOverridesOf } from '../../access/principal/enum-overrides.js';
import type { Permissions } from '../../access/principal/permissions.js';

type Part = Readonly<Record<string, unknown>>;

/** Maximum length of a scope list in the DTO decorators. */
const LONGEST_LIST = SCOPES.join(' ').length;

export function withEnumOverrides(document: OpenApiDocument, permissions: Permissions): OpenApiDocument {
  const overrides = enumOverridesOf(permissions);
  const longestList = permissions.scopes.join(' ').length;
  const replaced = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(replaced);
    if (typeof part !== 'object' || part === null) return part;
    const own = withOverriddenEnum(part as Part, overrides, longestList);
    return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, replaced(value)]));
  };
  return replaced(document) as OpenApiDocument;
}

function withOverriddenEnum(part: Part, overrides: EnumOverrides, longestList: number): Part {
  const { enum: named, items, maxItems, maxLength } = part;
  const own = overrides.get(named as readonly string[]);
  if (own !== undefined) return { ...part, enum: own };
  const ofItems = (items as Part | undefined)?.['enum'] as readonly string[];
  const ownItems = overrides.get(ofItems);
  if (ownItems !== undefined && maxItems === ofItems.length) return { ...part, maxItems: ownItems.length };
  return maxLength === LONGEST_LIST ? { ...part, maxLength: longestList } : part;
}
