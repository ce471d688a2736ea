import type { JSX } from 'preact';

import { useConsole } from '../console.js';
import type { Collection } from '../document/collection.js';
import { namingField, type Field } from '../document/field.js';
import { FieldName } from '../parts/field-name.js';
import { Icon } from '../parts/icon.js';
import { isNumeric, Value } from '../parts/value.js';
import { Link } from '../router/link.js';
import { memberPath } from '../router/routes.js';
import { shortId } from '../service/labels.js';
import { idOf, type Row } from '../service/row.js';

interface Props {
  readonly collection: Collection;
  readonly path: string;
  readonly rows: readonly Row[];
  readonly sort: string | undefined;
  readonly onSort?: (field: string) => void;
}

/** Further columns that a phone shows. */
const PHONE_COLUMNS = 2;
/** Maximum number of columns on a wide screen. */
const MAX_COLUMNS = 8;

/** The rows of a list. On a phone each row is a card. */
export function Table({ collection, path, rows, sort, onSort }: Props): JSX.Element {
  const { model } = useConsole();
  const columns = columnsOf(collection);
  // The name, and two short fields.
  const onPhone = [...columns.slice(0, 1), ...columns.slice(1).filter(isShort).slice(0, PHONE_COLUMNS)];
  // The roles stay when a phone's style sheet turns rows into cards.
  return (
    <div class="table-frame">
      <table class="list" role="table" aria-label={collection.title}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((field) => (
              <Head key={field.name} {...{ collection, field, sort, onSort }} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => {
            const to = memberPath(model, collection, path, row);
            return (
              <tr role="row" key={idOf(row)} class={to === undefined ? '' : 'opens'}>
                {columns.map((field, index) => (
                  <td role="cell" key={field.name} class={cellClass(field, onPhone)}>
                    {index === 0 && to !== undefined ? (
                      <Link to={to} class="row-link">
                        {cell(field, row)}
                      </Link>
                    ) : (
                      cell(field, row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps extends Pick<Props, 'collection' | 'sort'> {
  readonly field: Field;
  readonly onSort: Props['onSort'];
}

function Head({ collection, field, sort, onSort }: HeadProps): JSX.Element {
  const { name } = field;
  const isSorted = sort === name || sort === `-${name}`;
  const isUp = sort === name;
  const className = isNumeric(field.kind) ? 'number' : '';
  if (onSort === undefined || !collection.sorts.includes(name)) {
    return (
      <th role="columnheader" scope="col" class={className}>
        <FieldName name={name} />
      </th>
    );
  }
  return (
    <th
      role="columnheader"
      scope="col"
      class={className}
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" onClick={() => onSort(name)}>
        <FieldName name={name} />
        {isSorted && <Icon name={isUp ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

/** The column that names the member comes first. Each field to sort by has a column; ids, and what has no room, are left to the member. */
function columnsOf({ fields, sorts }: Collection): readonly Field[] {
  const naming = namingField(fields);
  const first = naming ?? fields[0];
  const rest = fields.filter((field) => field !== first && field.name !== 'id');
  const isSorted = ({ name }: Field): boolean => sorts.includes(name);
  const rank = (field: Field): number => (isSorted(field) ? 0 : isLate(field) ? 2 : 1);
  const room = Math.max(MAX_COLUMNS - 1, rest.filter(isSorted).length);
  const shown = rest.toSorted((one, other) => rank(one) - rank(other)).slice(0, room);
  return [...(first === undefined ? [] : [first]), ...rest.filter((field) => shown.includes(field))];
}

function isLate({ name, kind }: Field): boolean {
  return kind === 'object' || kind === 'objects' || kind === 'json' || name === 'updated_at';
}

function isShort(field: Field): boolean {
  return !isLate(field) && field.kind !== 'long text';
}

function cellClass(field: Field, onPhone: readonly Field[]): string {
  const { kind } = field;
  const classes = [isNumeric(kind) && 'number', kind === 'time' && 'time', !onPhone.includes(field) && 'wide-only'];
  return classes.filter(Boolean).join(' ');
}

function cell(field: Field, row: Row): JSX.Element {
  const value = row[field.name];
  if (field.name === 'id') return <span class="id">{shortId(String(value))}</span>;
  return <Value field={field} value={value} isCell />;
}
