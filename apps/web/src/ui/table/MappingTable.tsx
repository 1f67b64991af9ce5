import './mapping.css';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { Picker } from '../fields/Picker.tsx';
import { ICON_SMALL } from '../show/icons.ts';
import { type FileColumn, type FileField, mapColumn, type Mapping, missingFields } from './mapping.ts';
import { MiniTable } from './MiniTable.tsx';

export interface MappingTableProps<Field extends string> {
  label: string;
  columns: readonly FileColumn[];
  fields: readonly FileField<Field>[];
  value: Mapping<Field>;
  onChange: (value: Mapping<Field>) => void;
}

/** The columns of a file, each with its first values and a field picker, and the fields that have no column. */
export function MappingTable<Field extends string>(props: MappingTableProps<Field>) {
  const { label, columns, fields, value, onChange } = props;
  const missing = missingFields(fields, value);
  const options = fields.map(({ id, label: text }) => ({ id, label: text }));
  return (
    <div className="ek-mapping">
      <MiniTable
        label={label}
        columns={[
          { header: 'Column', className: 'ek-mapping-name', render: ({ header }: FileColumn) => header },
          {
            header: 'Sample values',
            className: 'ek-mapping-samples',
            render: ({ samples }: FileColumn) => samples.join('\n'),
          },
          {
            header: 'Field',
            render: ({ id, header }: FileColumn) => (
              <Picker
                label={`Field for ${header}`}
                inRow
                options={options}
                noneLabel="Don't import"
                placeholder="Don't import"
                value={value[id] ?? null}
                onChange={(field) => onChange(mapColumn(value, id, field))}
              />
            ),
          },
        ]}
        rows={columns}
        keyOf={({ id }) => id}
      />
      <p role="status" className="ek-mapping-state" data-missing={missing.length > 0 ? '' : undefined}>
        {missing.length > 0 ? <IconAlertTriangle {...ICON_SMALL} /> : <IconCheck {...ICON_SMALL} />}
        {missing.length > 0
          ? `Required fields without a column: ${missing.map((field) => field.label).join(', ')}`
          : 'All required fields have a column'}
      </p>
    </div>
  );
}
