import { SCOPES } from '@items/dtos/contract';
import type { OwnWords } from '@items/fields';
import type { OpenApiDocument } from '../../document/openapi-document.js';

import { ownWordsOf } from '../../access/principal/own-words.js';
import type { Permissions } from '../../access/principal/permissions.js';

type Part = Readonly<Record<string, unknown>>;

/** Of a text that lists scopes, as the decorators have it. */
const LONGEST_LIST = SCOPES.join(' ').length;

/** The document with the scopes and roles of the service, where the decorators have those of items and orders. */
export function inOwnWords(document: OpenApiDocument, permissions: Permissions): OpenApiDocument {
  const words = ownWordsOf(permissions);
  const longestList = permissions.scopes.join(' ').length;
  const replaced = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(replaced);
    if (typeof part !== 'object' || part === null) return part;
    const own = withOwnWords(part as Part, words, longestList);
    return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, replaced(value)]));
  };
  return replaced(document) as OpenApiDocument;
}

function withOwnWords(part: Part, words: OwnWords, longestList: number): Part {
  const { enum: named, items, maxItems, maxLength } = part;
  const own = words.get(named as readonly string[]);
  if (own !== undefined) return { ...part, enum: own };
  const ofItems = (items as Part | undefined)?.['enum'] as readonly string[];
  const ownItems = words.get(ofItems);
  if (ownItems !== undefined && maxItems === ofItems.length) return { ...part, maxItems: ownItems.length };
  return maxLength === LONGEST_LIST ? { ...part, maxLength: longestList } : part;
}
