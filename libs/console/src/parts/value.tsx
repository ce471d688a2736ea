import type { JSX } from 'preact';

import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import type { Field } from '../document/field.js';
import { Link } from '../router/link.js';
import { shortId } from '../service/labels.js';
import { plainText, type Row } from '../service/row.js';
import { FieldName } from './field-name.js';
import { amountText, shortTime } from './format.js';
import { useStore } from './store.js';

interface Props {
  readonly field: Field;
  readonly value: unknown;
  /** In a table: a link would be in the way of the row's own. */
  readonly isCell?: boolean;
}

/** The value of a field, by its type. */
export function Value({ field, value, isCell = false }: Props): JSX.Element {
  const { model } = useConsole();
  if (value === null || value === undefined || value === '') return <span class="none">–</span>;
  switch (field.kind) {
    case 'time':
      return <Time time={plainText(value)} />;
    case 'money':
      return <>{amountText(Number(value), model.currency)}</>;
    case 'number':
      return <>{Number(value).toLocaleString()}</>;
    case 'flag':
      return <span class={value === true ? 'badge on' : 'badge'}>{value === true ? 'yes' : 'no'}</span>;
    case 'choice':
      return <span class="badge">{plainText(value)}</span>;
    case 'reference':
      return <ReferenceValue target={field.target ?? ''} id={plainText(value)} isCell={isCell} />;
    case 'choices':
    case 'texts':
      return <Tags values={value as readonly string[]} isCell={isCell} />;
    case 'object':
      return isCell ? <>{summary([value])}</> : <FieldList fields={field.fields} row={value as Row} />;
    case 'objects':
      return isCell ? (
        <>{summary(value as readonly unknown[])}</>
      ) : (
        <Objects field={field} rows={value as readonly Row[]} />
      );
    case 'long text':
      return <span class="long">{plainText(value)}</span>;
    case 'json':
      return <code class="long">{JSON.stringify(value)}</code>;
    default:
      return <>{plainText(value)}</>;
  }
}

export function Time({ time }: { readonly time: string }): JSX.Element {
  return (
    <time dateTime={time} title={`${time.replace('T', ' ').replace('Z', '')} UTC`}>
      {shortTime(time)}
    </time>
  );
}

/** The fields of an object, one below the other. */
export function FieldList({ fields, row }: { readonly fields: readonly Field[]; readonly row: Row }): JSX.Element {
  return (
    <dl class="fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>
            <FieldName name={field.name} />
          </dt>
          <dd>
            <Value field={field} value={row[field.name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function ReferenceValue(props: {
  readonly target: string;
  readonly id: string;
  readonly isCell: boolean;
}): JSX.Element {
  const { model, labels, me } = useConsole();
  useStore(labels.changed);
  const collection = model.collections.find(({ path }) => path === props.target);
  const isReadable = collection !== undefined && mayCall(collection.list, me);
  const own = props.id === me.id ? me.username : undefined;
  const label = own ?? (isReadable ? labels.find(collection, props.id) : undefined);
  const content = label ?? <span class="id">{shortId(props.id)}</span>;
  if (props.isCell || !isReadable) return <>{content}</>;
  return <Link to={`${collection.path}/${props.id}`}>{content}</Link>;
}

function Tags({ values, isCell }: { readonly values: readonly string[]; readonly isCell: boolean }): JSX.Element {
  if (values.length === 0) return <span class="none">–</span>;
  if (isCell && values.length > 2) return <>{`${String(values[0])} and ${values.length - 1} more`}</>;
  return (
    <span class="tags">
      {values.map((value) => (
        <span key={value} class="badge">
          {value}
        </span>
      ))}
    </span>
  );
}

/** A list of objects as a small table, such as the lines of an order. */
function Objects({ field, rows }: { readonly field: Field; readonly rows: readonly Row[] }): JSX.Element {
  if (rows.length === 0) return <span class="none">–</span>;
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={field.name}>
      <table class="inner">
        <thead>
          <tr>
            {field.fields.map(({ name, kind }) => (
              <th key={name} scope="col" class={isNumeric(kind) ? 'number' : ''}>
                <FieldName name={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {field.fields.map((each) => (
                <td key={each.name} class={isNumeric(each.kind) ? 'number' : ''}>
                  <Value field={each} value={row[each.name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function isNumeric(kind: Field['kind']): boolean {
  return kind === 'money' || kind === 'number';
}

/** A few words on objects: the names in them, or how many there are. */
function summary(rows: readonly unknown[]): string {
  const names = rows.map((row) => {
    const { name, type } = row as { name?: unknown; type?: unknown };
    return typeof name === 'string' ? name : typeof type === 'string' ? type : undefined;
  });
  const [first, ...rest] = names;
  if (first === undefined) return rows.length === 1 ? '1 entry' : `${rows.length} entries`;
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}
