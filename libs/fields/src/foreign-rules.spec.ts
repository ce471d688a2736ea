import {
  ArrayUnique,
  Contains,
  IsEmail,
  IsISO8601,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  registerDecorator,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';

import {
  Choices,
  definitionOf,
  type DtoClass,
  KeptIfAbsent,
  Optional,
  replacementOf,
  schemaOf,
  Sortable,
  Text,
  validate,
} from './index.js';

class PersonDto {
  @IsEmail()
  @MinLength(6)
  @Text({ max: 20 })
  email!: string;

  @Optional()
  @IsISO8601({ strict: true }, { message: 'Only days of the calendar' })
  @Text({ max: 20 })
  day!: string | null;

  @KeptIfAbsent()
  @ArrayUnique()
  @MaxLength(1, { each: true })
  @Choices(['a', 'bb'])
  words!: string[] | undefined;
}

const GOOD = { email: 'ada@items.dev', day: '2026-02-28', words: ['a'] };

/** Returns the code and the message of each refused field. */
function problemsOf(dto: DtoClass, body: object): unknown[] {
  try {
    validate(dto, body);
    return [];
  } catch (error) {
    return (error as { details: { field: string; code: string; message: string }[] }).details.map(
      ({ field, code, message }) => [field, code, message],
    );
  }
}

describe('A rule of class-validator next to ours', () => {
  it('is applied with ours; its code is in snake_case', () => {
    expect(problemsOf(PersonDto, GOOD)).toEqual([]);
    expect(problemsOf(PersonDto, { ...GOOD, email: 'nobody', day: '2026-02-30', words: ['bb'] })).toEqual([
      ['day', 'is_iso8601', '"day" is not accepted: Only days of the calendar.'],
      ['email', 'is_email', '"email" must be an email.'],
      ['words', 'max_length', expect.stringMatching(/^"words" .*must be shorter than or equal to 1 characters\.$/)],
    ]);
  });

  it('is applied to values that are present and pass our rules', () => {
    expect(problemsOf(PersonDto, { email: 7, day: null })).toEqual([
      ['email', 'wrong_type', '"email" must be a string.'],
    ]);
    expect(problemsOf(PersonDto, {})).toEqual([['email', 'required', '"email" is required.']]);
  });

  it('is inherited, like ours, and a class that declares the field again adds rules', () => {
    class EmployeeDto extends PersonDto {
      @Contains('@items.')
      @Sortable()
      declare email: string;
    }
    class ChiefDto extends EmployeeDto {
      @Text({ max: 30 })
      declare email: string;
    }
    for (const dto of [EmployeeDto, ChiefDto, replacementOf(EmployeeDto, 'email')]) {
      expect(problemsOf(dto, GOOD)).toEqual([]);
      expect(problemsOf(dto, { ...GOOD, email: 'ada@example.com' })).toEqual([
        ['email', 'contains', expect.anything()],
      ]);
      expect(problemsOf(dto, { ...GOOD, email: '@items.dev' })).toEqual([['email', 'is_email', expect.anything()]]);
      expect(problemsOf(dto, { ...GOOD, email: 5 })).toEqual([['email', 'wrong_type', expect.anything()]]);
      expect(problemsOf(dto, { ...GOOD, email: 'a'.repeat(40) })).toEqual([['email', 'too_long', expect.anything()]]);
    }
  });
});

describe('A rule of class-validator that cannot run with ours stops the start', () => {
  @ValidatorConstraint({ async: true })
  class IsFree {
    validate(): Promise<boolean> {
      return Promise.resolve(true);
    }
  }
  @ValidatorConstraint()
  class IsFreeUnmarked {
    async validate(name: string): Promise<boolean> {
      return Promise.resolve(name.length > 2);
    }
  }
  const sometimes = ValidateBy({
    name: 'sometimes',
    validator: { validate: (value): boolean => (typeof value === 'string' ? (Promise.resolve(true) as never) : false) },
  });
  const registered: PropertyDecorator = (target, propertyName) => {
    registerDecorator({
      name: 'registered',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: { validate: () => Promise.resolve(true) },
    });
  };

  it.each<[string, PropertyDecorator, RegExp]>([
    ['a rule with async: true', Validate(IsFree), /"name" has an asynchronous rule/],
    ['an async function', Validate(IsFreeUnmarked), /"name" has an asynchronous rule/],
    ['a rule that returns a promise for texts only', sometimes, /"name" has an asynchronous rule/],
    ['a rule of registerDecorator', registered, /"name" has an asynchronous rule/],
    ['IsOptional', IsOptional(), /"name" has @IsOptional\(\).*use @Optional\(\)/],
    ['ValidateIf', ValidateIf(() => true), /"name" has .*@ValidateIf\(\).*use @Optional\(\)/],
    ['ValidateNested', ValidateNested(), /"name" has @ValidateNested\(\).*use @Nested\(\)/],
  ])('%s', (_, decorate, sentence) => {
    class BadDto {
      @Text({ max: 9 })
      name!: string;
    }
    decorate(BadDto.prototype, 'name');
    class WorseDto extends BadDto {}
    for (const dto of [BadDto, WorseDto]) {
      expect(() => definitionOf(dto)).toThrow(sentence);
      expect(() => schemaOf(dto)).toThrow(dto.name);
    }
  });

  it('a rule of a field that has none of ours', () => {
    class BareDto {
      @IsString()
      name!: string;
    }
    expect(() => definitionOf(BareDto)).toThrow(/"name" has only rules of class-validator/);
  });
});
