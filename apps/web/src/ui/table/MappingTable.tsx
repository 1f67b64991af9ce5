import './mapping.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Picker } from '../fields/Picker.tsx';
import { useNarrow } from '../hooks/media.ts';
import { ICON_SMALL } from '../show/icons.ts';
import { type FileColumn, type FileField, mapColumn, type Mapping, missingFields } from './mapping.ts';

export interface MappingTableProps<Field extends string> {
  label: string;
  columns: readonly FileColumn[];
  fields: readonly FileField<Field>[];
  value: Mapping<Field>;
  onChange: (value: Mapping<Field>) => void;
  /** The result of each sample row, to the right of the file's columns. Phones don't show it. */
  result: { header: string; cells: readonly ReactNode[] };
}

/** The columns of a file with a field picker on each, its first rows, and the required fields without a column. */
export function MappingTable<Field extends string>(props: MappingTableProps<Field>) {
  const missing = missingFields(props.fields, props.value);
  const isNarrow = useNarrow();
  return (
    <div className="ek-mapping">
      {isNarrow ? <ColumnList {...props} /> : <Sheet {...props} />}
      <p role="status" className="ek-mapping-missing">
        {missing.length > 0 && (
          <>
            <IconAlertTriangle {...ICON_SMALL} />
            {`Required fields without a column: ${missing.map((field) => field.label).join(', ')}`}
          </>
        )}
      </p>
    </div>
  );
}

const NOT_IMPORTED = "Don't Import";

interface ColumnPickerProps<Field extends string> extends MappingTableProps<Field> {
  column: FileColumn;
}

function ColumnPicker<Field extends string>({ column, fields, value, onChange }: ColumnPickerProps<Field>) {
  return (
    <Picker
      label={`Field for ${column.header}`}
      inRow
      options={fields.map(({ id, label }) => ({ id, label }))}
      noneLabel={NOT_IMPORTED}
      value={value[column.id] ?? null}
      onChange={(field) => onChange(mapColumn(value, column.id, field))}
    />
  );
}

/** The file's own columns, each with its picker above the first rows. */
function Sheet<Field extends string>(props: MappingTableProps<Field>) {
  const { label, columns, fields, value, result } = props;
  const marksOf = ({ id }: FileColumn) => {
    const field = fields.find((one) => one.id === value[id]);
    return {
      'data-right': field?.isAmount === true ? '' : undefined,
      'data-wide': field?.isText === true ? '' : undefined,
      'data-off': field === undefined ? '' : undefined,
    };
  };
  return (
    <div className="ek-sheet-frame">
      <table className="ek-sheet" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" {...marksOf(column)}>
                <div className="ek-sheet-name" title={column.header}>
                  {column.header}
                </div>
                <ColumnPicker {...props} column={column} />
              </th>
            ))}
            <th scope="col" className="ek-sheet-result">
              {result.header}
            </th>
          </tr>
        </thead>
        <tbody>
          {result.cells.map((cell, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- The rows of a file have no other identity.
            <tr key={row}>
              {columns.map((column) => (
                <td key={column.id} {...marksOf(column)} title={column.samples[row]}>
                  {column.samples[row]}
                </td>
              ))}
              <td className="ek-sheet-result">{cell}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** On a phone, each column is a row with its name, its first value, and its picker. */
function ColumnList<Field extends string>(props: MappingTableProps<Field>) {
  return (
    <ul className="ek-sheet-list" aria-label={props.label}>
      {props.columns.map((column) => (
        <li key={column.id}>
          <div className="ek-sheet-column">
            <div className="ek-medium ek-ellipsis">{column.header}</div>
            <div className="ek-muted ek-small ek-ellipsis">{column.becomes ?? column.samples[0]}</div>
          </div>
          <ColumnPicker {...props} column={column} />
        </li>
      ))}
    </ul>
  );
}
