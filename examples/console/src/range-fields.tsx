import { useState } from 'react';

export const SORTS: Readonly<Record<string, string>> = {
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  price: 'Price, lowest first',
  '-price': 'Price, highest first',
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  '-updated_at': 'Changed last',
};

/** Parameters such as `price_min`. */
export type Range = Readonly<Record<string, string>>;

interface Bound {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'date';
}

/** A list is narrowed to a range of what it is sorted by. */
function boundsOf(sort: string): readonly Bound[] {
  const field = sort.replace('-', '');
  if (field === 'name') return [{ name: 'name_prefix', label: 'Begins with', type: 'text' }];
  const type = field === 'price' ? 'number' : 'date';
  return [
    { name: `${field}_min`, label: 'From', type },
    { name: `${field}_max`, label: 'To', type },
  ];
}

interface Props {
  readonly sort: string;
  readonly onChange: (range: Range) => void;
}

export function RangeFields({ sort, onChange }: Props) {
  const [values, setValues] = useState<Range>({});
  const change = ({ name, type }: Bound, value: string) => {
    const next = Object.fromEntries(Object.entries({ ...values, [name]: value }).filter(([, text]) => text !== ''));
    setValues(next);
    const ofDay = (bound: string, text: string): string =>
      `${text}T${bound.endsWith('_max') ? '23:59:59.999' : '00:00:00.000'}Z`;
    if (type !== 'date') onChange(next);
    else onChange(Object.fromEntries(Object.entries(next).map(([bound, text]) => [bound, ofDay(bound, text)])));
  };
  return boundsOf(sort).map((bound) => (
    <label key={bound.name}>
      {bound.label}{' '}
      <input
        type={bound.type}
        step="0.01"
        value={values[bound.name] ?? ''}
        onChange={(event) => change(bound, event.target.value)}
      />
    </label>
  ));
}
