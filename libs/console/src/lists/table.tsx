import { session } from '../session.js';
import { namingField, type Field } from '../document/field.js';
import type { Collection } from '../document/model.js';
import { FieldName, Icon, Link } from '../parts/elements.js';
import { Value } from '../parts/value.js';
import { memberPath } from '../router/routes.js';
import { idOf } from '../service/rows.js';
import type { List } from './list.js';

/** Maximum numbers of columns, in addition to the name. */
const PHONE_COLUMNS = 2;
const WIDE_COLUMNS = 7;

export interface TableProps {
  readonly list: List;
  /** If omitted, the column heads are not buttons. */
  readonly onSort?: ((field: string) => void) | undefined;
}

/** The rows of a list. On a phone each row is a card. */
export function Table({ list, onSort }: TableProps) {
  const { collection, path, sort } = list;
  const columns = columnsOf(collection);
  const short = columns.filter((field, index) => index > 0 && isPlain(field) && field.kind !== 'long text');
  const onPhone = [columns[0], ...short.slice(0, PHONE_COLUMNS)];
  // Explicit roles: the style sheet for phones shows rows as cards, which removes the implicit roles.
  return (
    <div class="table-frame">
      <table class="list" role="table" aria-label={collection.title}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((field) => {
              const { name } = field;
              const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
              const isSortable = onSort !== undefined && collection.sorts.includes(name);
              const attributes = { role: 'columnheader', scope: 'col', 'data-kind': field.kind } as const;
              return (
                <th key={name} {...attributes} aria-sort={isSortable ? order : undefined}>
                  {isSortable ? (
                    <button type="button" onClick={() => onSort(name)}>
                      <FieldName name={name} />
                      {order && <Icon name={order === 'ascending' ? 'up' : 'down'} />}
                    </button>
                  ) : (
                    <FieldName name={name} />
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {list.state.value.rows.map((row) => {
            const to = memberPath(session.model, collection, path, row);
            return (
              <tr role="row" key={idOf(row)} class={to === undefined ? '' : 'opens'}>
                {columns.map((field, index) => {
                  const value = <Value field={field} value={row[field.name]} isCell />;
                  const attributes = { role: 'cell', 'data-kind': field.kind } as const;
                  return (
                    <td key={field.name} {...attributes} class={onPhone.includes(field) ? '' : 'wide-only'}>
                      {index === 0 && to !== undefined ? <Link to={to} class="row-link" children={value} /> : value}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The label comes first. Every sortable field has a column; other fields fill the rest. */
function columnsOf({ fields, sorts }: Collection): readonly Field[] {
  const first = namingField(fields) ?? fields[0];
  const rest = fields.filter((field) => field !== first && field.name !== 'id');
  const isSorted = ({ name }: Field): boolean => sorts.includes(name);
  const others = rest.filter((field) => !isSorted(field));
  const room = WIDE_COLUMNS - rest.filter(isSorted).length;
  const shown = [...others.filter(isPlain), ...others.filter((field) => !isPlain(field))].slice(0, Math.max(room, 0));
  return [...(first ? [first] : []), ...rest.filter((field) => isSorted(field) || shown.includes(field))];
}

function isPlain({ name, kind }: Field): boolean {
  return kind !== 'object' && kind !== 'objects' && kind !== 'json' && name !== 'updated_at';
}
