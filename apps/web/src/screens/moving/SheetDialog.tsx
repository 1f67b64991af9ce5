import type { MoveFile, MoveInput } from '@evenkeel/contract/moving';
import { isSheetKind, SHEET_KINDS, sheetFields, type SheetKind } from '@evenkeel/core/moving/sheets';
import { useState } from 'react';
import { Picker } from '../../ui/fields/Picker.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { type Mapping, missingFields } from '../../ui/table/mapping.ts';
import { MappingTable } from '../../ui/table/MappingTable.tsx';

export type Sheet = NonNullable<MoveFile['sheet']>;

const KINDS = Object.keys(SHEET_KINDS).filter(isSheetKind);

export interface SheetDialogProps {
  name: string;
  sheet: Sheet;
  onSave: (sheet: NonNullable<MoveInput['sheets']>[number]) => void;
  onClose: () => void;
}

/** The kind of records in a spreadsheet, and the field that each of its columns fills. */
export function SheetDialog({ name, sheet, onSave, onClose }: SheetDialogProps) {
  const [kind, setKind] = useState<SheetKind | null>(isSheetKind(sheet.kind) ? sheet.kind : null);
  const [mapping, setMapping] = useState<Mapping<string>>(() =>
    Object.fromEntries(Object.entries(sheet.mapping).map(([field, column]) => [String(column), field])),
  );
  const fields = kind === null ? [] : sheetFields(kind);
  const known = new Set(fields.map(({ id }) => id));
  const value = Object.fromEntries(Object.entries(mapping).filter(([, field]) => known.has(field)));
  const columns = sheet.headings.map((header, at) => ({
    id: String(at),
    header,
    samples: sheet.samples.map((row) => row[at] ?? ''),
  }));
  const canSave = kind !== null && missingFields(fields, value).length === 0;
  const save = () => {
    if (kind === null) return;
    const own = Object.entries(value).map(([column, field]) => [field, Number(column)] as const);
    onSave({ file: name, kind, mapping: Object.fromEntries(own) });
  };
  return (
    <AppModal
      opened
      size="xl"
      title={`Columns in ${name}`}
      onClose={onClose}
      footer={{ primary: { label: 'Save', disabled: !canSave, onClick: save } }}
    >
      <div className="ek-stack">
        <div className="ek-form">
          <Picker
            label="Type of Record"
            span={6}
            autoFocus={kind === null}
            hint="Each row is one record. Your choices are used for the next file with these columns."
            options={KINDS.map((one) => ({ id: one, label: one }))}
            value={kind}
            onChange={setKind}
          />
        </div>
        {kind !== null && (
          <MappingTable
            label="File columns"
            columns={columns}
            fields={fields}
            value={value}
            onChange={setMapping}
            result={{ header: '', cells: sheet.samples.map(() => null) }}
          />
        )}
      </div>
    </AppModal>
  );
}
