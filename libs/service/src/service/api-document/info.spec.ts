import type { OpenApiDocument } from '../../document/openapi-document.js';
import { infoOf, withoutUnusedCurrency } from './info.js';

const versions = { current: '1' } as Parameters<typeof infoOf>[0]['versions'];
const info = infoOf({ currency: 'EUR', cursorTtlMs: 1000, versions }, []);
const documentWith = (schema: object): OpenApiDocument =>
  ({ info, components: { schemas: { Field: schema } } }) as unknown as OpenApiDocument;

describe('The currency in the document', () => {
  it('is named if a field is an amount', () => {
    const document = documentWith({ type: 'number', maximum: 999_999_999.99 });
    expect(withoutUnusedCurrency(document)).toBe(document);
    expect(info.description).toContain('Prices are in EUR, exact to the cent. Times are');
  });

  it('is omitted if no field is', () => {
    const { info: shown } = withoutUnusedCurrency(documentWith({ type: 'number' }));
    expect(shown).not.toHaveProperty('x-currency');
    expect(shown.description).not.toContain('Prices');
    expect(shown.description).toContain('\nTimes are');
  });
});
