import { useState } from 'react';

import { EXACT } from './form';

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
    if (type !== 'date') onChange(next);
    else onChange(Object.fromEntries(Object.entries(next).map(([bound, text]) => [bound, timeOf(bound, text)])));
  };
  return boundsOf(sort).map((bound) => (
    <label key={bound.name}>
      {bound.label}{' '}
      <input
        type={bound.type}
        step="0.01"
        max={bound.type === 'date' ? '9999-12-31' : undefined}
        {...EXACT}
        value={values[bound.name] ?? ''}
        onChange={(event) => change(bound, event.target.value)}
      />
    </label>
  ));
}

/** Where a day begins or ends, by the clock of the user, as all times are shown. */
function timeOf(bound: string, day: string): string {
  return new Date(`${day}T${bound.endsWith('_max') ? '23:59:59.999' : '00:00:00.000'}`).toISOString();
}
