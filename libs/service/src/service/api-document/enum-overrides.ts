import { CreateWebhookDto } from '@items/dtos';
import { SCOPES } from '@items/dtos/contract';
import { definitionOf, type EnumOverrides } from '@items/fields';
import type { OpenApiDocument } from '../../document/openapi-document.js';

import { enumOverridesOf, type Permissions } from '../../access/principal/permissions.js';

type Part = Readonly<Record<string, unknown>>;

/** Maximum length of a scope list in the DTO decorators. */
const LONGEST_LIST = SCOPES.join(' ').length;

/** Schema of an event kind (`item.updated`) in the released document (docs/openapi). */
const RELEASED_KIND = { maxLength: 81, pattern: String.raw`^(?:\*|[a-z_]{1,40}\.(?:\*|[a-z_]{1,40}))$` };

/**
 * @param kinds of events of this service. If all match `RELEASED_KIND`, `CreateWebhookDto.events` gets this narrower
 * schema.
 */
export function withEnumOverrides(
  document: OpenApiDocument,
  permissions: Permissions,
  kinds: readonly string[],
): OpenApiDocument {
  const isReleasedKind = kinds.every((kind) => new RegExp(RELEASED_KIND.pattern).test(kind));
  const widerKind = definitionOf(CreateWebhookDto).fields.get('events')?.schema['items'] as Part;
  const overrides = enumOverridesOf(permissions);
  const longestList = permissions.scopes.join(' ').length;
  const replaced = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(replaced);
    if (typeof part !== 'object' || part === null) return part;
    if (isReleasedKind && (part as Part)['pattern'] === widerKind['pattern']) return { ...part, ...RELEASED_KIND };
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
