import { session } from '../session.js';
import type { Field } from '../document/field.js';
import { shortId } from '../service/labels.js';
import { plainText, type Row } from '../service/rows.js';
import { FieldName, Link, SmallTable } from './elements.js';
import { amountText, shortTime } from './format.js';

interface Props {
  readonly field: Field;
  readonly value: unknown;
  /** In a table: shows no links, because the row itself is a link. */
  readonly isCell?: boolean;
}

export function Value({ field, value, isCell = false }: Props) {
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return <span class="none">–</span>;
  if (isCell && Array.isArray(value)) return <>{summary(value)}</>;
  const shown = plainText(value);
  switch (field.kind) {
    case 'time':
      return <Time time={shown} />;
    case 'money':
      return <>{amountText(Number(value), session.model.currency)}</>;
    case 'number':
      return <>{Number(value).toLocaleString()}</>;
    case 'flag':
      return <span class={value === true ? 'badge on' : 'badge'}>{value === true ? 'yes' : 'no'}</span>;
    case 'choice':
      return <span class="badge">{shown}</span>;
    case 'reference':
      return <Reference target={field.target} id={shown} isCell={isCell} />;
    case 'choices':
    case 'texts':
      return <Tags values={value as readonly string[]} />;
    case 'object':
      return isCell ? <>{summary([value])}</> : <FieldList fields={field.fields} row={value as Row} />;
    case 'objects':
      return <Objects field={field} rows={value as readonly Row[]} />;
    case 'long text':
      return <span class="long">{shown}</span>;
    case 'json':
      return <code class="long">{JSON.stringify(value)}</code>;
    default:
      if (!isCell) return <>{shown}</>;
      if (field.name === 'id') return <span class="id" children={shortId(shown)} />;
      return <span class="long" children={shown} />;
  }
}

export function Time({ time }: { readonly time: string }) {
  const exact = `${time.replace('T', ' ').replace('Z', '')} UTC`;
  return <time dateTime={time} title={exact} children={shortTime(time)} />;
}

export function FieldList({ fields, row }: { readonly fields: readonly Field[]; readonly row: Row }) {
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

function Reference({ target, id, isCell }: { target: string | undefined; id: string; isCell: boolean }) {
  const { model, labels, me, may } = session;
  const collection = model.collections.find(({ path, list }) => path === target && may(list, path));
  const label = id === me.id ? me.username : collection && labels.find(collection, id);
  const content = label ?? <span class="id">{shortId(id)}</span>;
  return isCell || !collection ? <>{content}</> : <Link to={`${collection.path}/${id}`}>{content}</Link>;
}

function Tags({ values }: { readonly values: readonly string[] }) {
  return (
    <span class="tags">
      {values.map((value) => (
        <span key={value} class="badge" children={value} />
      ))}
    </span>
  );
}

function Objects({ field: { name, fields }, rows }: { readonly field: Field; readonly rows: readonly Row[] }) {
  const cells = rows.map((row) => fields.map((each) => <Value field={each} value={row[each.name]} />));
  const heads = fields.map((each) => <FieldName name={each.name} />);
  return <SmallTable {...{ label: name, heads, rows: cells, kinds: fields.map(({ kind }) => kind) }} />;
}

/** Summarizes a list: the name of its first entry, and the number of further entries. */
function summary([first, ...rest]: readonly unknown[]): string {
  const { name, type } = Object(first) as Row;
  const label = plainText(first) || plainText(name) || plainText(type) || '1 entry';
  return rest.length === 0 ? label : `${label} and ${rest.length} more`;
}
