import type { Part } from '../published/part.js';

const PLACE = 'https://www.rfc-editor.org/rfc/rfc';

/** Links the RFCs and sections that a description names. */
export function withLinks(part: Part): Part {
  const { description } = part;
  return typeof description === 'string' ? { ...part, description: linked(description) } : part;
}

function linked(text: string): string {
  return text.replaceAll(/\bRFC (\d+)((?:,? §[\d.]*\d)*)/g, (_, number: string, sections: string) => {
    const links = sections.replaceAll(/§([\d.]*\d)/g, `[§$1](${PLACE}${number}#section-$1)`);
    return `[RFC ${number}](${PLACE}${number})${links}`;
  });
}
