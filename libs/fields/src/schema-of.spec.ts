import { Choice } from './choice.js';
import { Optional } from './presence.js';
import { schemaOf, shownSchemaOf } from './schema-of.js';

class ShirtDto {
  @Optional()
  @Choice(['small', 'large'])
  size!: string | null;
}

describe('an optional choice', () => {
  it('has null in its enum, in requests and in responses', () => {
    const size = { type: ['string', 'null'], enum: ['small', 'large', null] };
    for (const schema of [schemaOf(ShirtDto), shownSchemaOf(ShirtDto)]) {
      expect(schema).toMatchObject({ properties: { size } });
    }
  });
});
