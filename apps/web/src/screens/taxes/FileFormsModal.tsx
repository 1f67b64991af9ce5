import { type FiledForm, formCalls, type FormYear } from '@evenkeel/contract/forms1099';
import { formatDate, partsOf } from '@evenkeel/core/dates';
import { cents, formatUsd, sum } from '@evenkeel/core/money';
import { boxOf, filledBoxes, formName, WITHHELD_BOX } from '@evenkeel/core/taxes/forms1099';
import { IconDownload } from '@tabler/icons-react';
import * as z from 'zod';
import { ask, messageOf, send, useRead, useStale } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { useManages } from '../../records/active.tsx';
import { Day } from '../../records/formFields.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useRemoval } from '../../records/useRemoval.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import type { BarAction } from '../../ui/overlay/ActionBar.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Lines } from '../../ui/show/Lines.tsx';
import { counted } from '../../ui/show/words.ts';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { type FormRow, keyOf } from './forms1099.ts';

const FilingForm = z.object({ filedDate: Day.nullable() });
type FilingForm = z.output<typeof FilingForm>;

/** The maximum number of forms in one request. */
const MOST = 500;

/** Returns the boxes that are filed, and the withheld tax. A form that is no longer required has neither. */
function filing(row: FormRow) {
  const isDue = row.withheld > 0 || row.boxes.some(({ amount, threshold }) => amount > 0 && amount >= threshold);
  const boxes = filledBoxes({ ...row, isDue });
  return { boxes, reported: sum(boxes.map(({ amount }) => amount)), withheld: isDue ? row.withheld : cents(0) };
}

/** Marks forms as filed. Their amounts are saved and never change. */
export function FileFormsModal({ of, rows, onClose }: { of: FormYear; rows: readonly FormRow[]; onClose: () => void }) {
  const today = useToday();
  const stale = useStale();
  const shown = rows.slice(0, MOST);
  const isCorrection = shown.every(({ status }) => status === 'changed');
  const form = useRecordForm<FiledForm[], FilingForm>({
    name: `1099 filing ${of.year} ${shown.map(keyOf).join(' ')}`.slice(0, 100),
    id: 0,
    saved: undefined,
    formOf: () => ({ filedDate: today }),
    schema: FilingForm,
    check: ({ filedDate }) => ({
      ...(filedDate === null && { filedDate: 'Please enter a date' }),
      ...(filedDate !== null &&
        partsOf(filedDate).year <= of.year && { filedDate: "Forms can't be filed before the year ends" }),
    }),
    send: async ({ filedDate }, { place }) => {
      const forms = shown.map((row) => {
        const { reported, withheld } = filing(row);
        return { vendorId: row.vendorId, form: row.form, reported, withheld };
      });
      const body = { year: of.year, filedDate: filedDate ?? today, forms };
      const saved = await send(ask(formCalls.fileForms, { body }), place);
      stale();
      return saved;
    },
    words: { saved: (all) => `${counted(all.length, { one: 'form', many: 'forms' })} marked as filed` },
    onSaved: onClose,
  });
  const title = isCorrection
    ? 'File Correction'
    : `Mark ${counted(shown.length, { one: 'Form', many: 'Forms' })} as Filed`;
  return (
    <RecordModal
      form={form}
      title={title}
      onClose={onClose}
      footer={{
        primary: { label: isCorrection ? 'File Correction' : 'Mark as Filed', onClick: form.save, busy: form.busy },
      }}
    >
      <p className="ek-second tx-for">
        {isCorrection
          ? 'File the correction with the IRS first. Evenkeel saves the new amounts as a new version.'
          : 'File the forms with the IRS first. Evenkeel saves their amounts, and later changes become corrections.'}
      </p>
      <div className="ek-form">
        <DateField {...form.bind('filedDate')} label="Filing Date" span={6} />
      </div>
      <MiniTable<FormRow>
        label="Forms"
        rows={shown}
        keyOf={keyOf}
        columns={[
          { header: 'Vendor', render: (row) => row.vendorName },
          { header: 'Form', render: (row) => `1099-${formName(row.form)}` },
          { header: 'Amount', right: true, render: (row) => <Amount value={filing(row).reported} /> },
        ]}
        total={{ label: 'Total', value: <Amount value={sum(shown.map((row) => filing(row).reported))} /> }}
      />
    </RecordModal>
  );
}

/** A form as it was filed. */
export function FiledFormModal({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useRead(ask(formCalls.getForm, { params: { id } }), { alert: 'Error Loading Form' });
  return (
    <LoadedModal read={read} title="1099 Form" onClose={onClose}>
      {(filed) => filed !== undefined && <Filed filed={filed} onClose={onClose} />}
    </LoadedModal>
  );
}

function Filed({ filed, onClose }: { filed: FiledForm; onClose: () => void }) {
  const { id, name, recipient, boxes, withheld, isLast, filedDate, filedBy } = filed;
  const stale = useStale();
  const alerts = useAlerts();
  const manages = useManages('Manage Accounting');
  const form = useRemoval({
    name: '1099 form',
    saved: filed,
    remove: async () => {
      await send(ask(formCalls.undoForm, { params: { id } }));
      stale(ask(formCalls.getForm, { params: { id } }));
    },
    words: { removed: `Filing of ${name} undone`, failed: 'Error Undoing Filing' },
    onRemoved: onClose,
  });
  const print = () => {
    call(formCalls.printForm, { params: { id } }).then(
      (bytes) => saveFile(`${name}.pdf`, [new Uint8Array(bytes)]),
      (error: unknown) => alerts.error(messageOf(error)),
    );
  };
  const undo: BarAction[] =
    manages && isLast && form.remove !== undefined
      ? [
          {
            label: 'Undo Filing',
            onClick: form.remove,
            busy: form.busy,
            isRare: true,
            question: `Undo the filing of ${name}?`,
          },
        ]
      : [];
  const rows = [
    ...boxes.map(({ box, amount }) => ({ ...boxOf(box), amount })),
    ...(withheld === 0 ? [] : [{ number: WITHHELD_BOX, label: 'Federal income tax withheld', amount: withheld }]),
  ].toSorted((a, b) => a.number - b.number);
  return (
    <RecordModal
      form={form}
      title={name}
      onClose={onClose}
      footer={{
        actions: undo,
        primary: { label: 'Save Copy B as PDF', onClick: print, icon: <IconDownload {...ICON_SMALL} /> },
      }}
    >
      <Facts
        facts={[
          { label: 'Recipient', value: <Lines texts={[recipient.name, ...recipient.lines]} /> },
          { label: 'Tax ID', value: `•••• ${recipient.taxIdEnd}` },
          {
            label: 'Filed',
            value: `${formatDate(filedDate)} by ${filedBy}`,
          },
          { label: 'Reported', value: formatUsd(filed.reported) },
        ]}
      />
      <MiniTable
        label="Boxes"
        rows={rows}
        keyOf={({ number }) => number}
        columns={[
          { header: 'Box', render: ({ number }) => number },
          { header: 'Type', render: ({ label }) => label },
          { header: 'Amount', right: true, render: ({ amount }) => <Amount value={amount} /> },
        ]}
      />
    </RecordModal>
  );
}
