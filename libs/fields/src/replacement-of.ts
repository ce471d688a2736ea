import { declareField, definitionOf, type DtoClass } from './definition.js';
import { KeptIfAbsent, KeptOrCleared } from './presence.js';

/** The body of a PUT. Undefined fields keep their stored values. */
export type Replacement<Input, Kept extends keyof Input> = Omit<Input, Kept> & {
  [Field in Kept]: Input[Field] | undefined;
};

/**
 * Derives the body of PUT from that of POST: the named fields keep their values if omitted, and null clears the
 * nullable ones. For fields that grant or refuse access. SPEC §2.4
 * @example export class ReplaceUserDto extends replacementOf(CreateUserDto, 'password') {}
 */
export function replacementOf<Input extends object, Kept extends keyof Input & string>(
  dto: DtoClass<Input>,
  ...kept: readonly Kept[]
): DtoClass<Replacement<Input, Kept>> {
  class ReplacementDto extends (dto as DtoClass) {}
  const { fields } = definitionOf(dto);
  for (const name of kept) {
    const field = fields.get(name);
    if (field === undefined) throw new Error(`${dto.name} has no field "${name}" that a replacement could keep.`);
    declareField(ReplacementDto.prototype, name, field);
    const decorate = field.absence === 'null' ? KeptOrCleared() : KeptIfAbsent();
    decorate(ReplacementDto.prototype, name);
  }
  return ReplacementDto as DtoClass<Replacement<Input, Kept>>;
}
