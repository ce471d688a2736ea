import { Choice } from './choice.js';
import { Optional } from './presence.js';
import { schemaOf, shownSchemaOf } from './schema-of.js';

class ShirtDto {
  @Optional()
  @Choice(['small', 'large'])
  size!: string | null;
}

describe('an optional choice', () => {
  it('has null among its words, in the input and as it is shown', () => {
    const size = { type: ['string', 'null'], enum: ['small', 'large', null] };
    for (const schema of [schemaOf(ShirtDto), shownSchemaOf(ShirtDto)]) {
      expect(schema).toMatchObject({ properties: { size } });
    }
  });
});
