import { formCalls, VendorTax } from '@evenkeel/contract/forms1099';
import { formatDate } from '@evenkeel/core/dates';
import { checkTaxId, taxClassifications } from '@evenkeel/core/taxes/forms1099';
import { taxClassificationIds, taxIdKinds } from '@evenkeel/core/taxes/ids';
import { Button } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod';
import { ask, messageOf, send, useRead, useStale } from '../../client/api.ts';
import { useManages } from '../../records/active.tsx';
import { Day } from '../../records/formFields.ts';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useOnce } from '../../ui/hooks/once.ts';

/** These fields don't include the tax ID, because the browser stores the form's draft. */
const TaxForm = z.object({
  is1099: z.boolean(),
  classification: z.enum(taxClassificationIds).nullable(),
  taxIdKind: z.enum(taxIdKinds).nullable(),
  w9Date: Day.nullable(),
  rowVersion: z.number().nullable(),
});
type TaxForm = z.output<typeof TaxForm>;

const KINDS = [
  { id: 'ein' as const, label: 'EIN (business)' },
  { id: 'ssn' as const, label: 'SSN (person)' },
];

/** The tax facts of a vendor from Form W-9, for 1099 forms. */
export function VendorTaxModal({ vendorId, onClose }: { vendorId: number; onClose: () => void }) {
  const read = useRead(ask(formCalls.getVendorTax, { params: { id: vendorId } }), {
    alert: 'Error Loading 1099 Information',
    isFresh: true,
  });
  return (
    <LoadedModal read={read} title="1099 Information" size="narrow" onClose={onClose}>
      {(tax) => tax !== undefined && <Loaded tax={tax} onClose={onClose} />}
    </LoadedModal>
  );
}

/** Returns a tax ID with only its last four digits: "•••• 6621". */
export const endedTaxId = (end: string): string => `•••• ${end}`;

function Loaded({ tax, onClose }: { tax: VendorTax; onClose: () => void }) {
  const { vendorId, vendorName, taxIdEnd, w9Requested } = tax;
  const stale = useStale();
  const [taxId, setTaxId] = useState<string>();
  const form = useRecordForm<VendorTax, TaxForm>({
    name: 'vendor tax',
    id: vendorId,
    saved: tax,
    formOf: (saved) => {
      const { is1099, classification, taxIdKind, w9Date, rowVersion } = saved ?? tax;
      return { is1099: rowVersion === 0 || is1099, classification, taxIdKind, w9Date, rowVersion };
    },
    schema: TaxForm,
    check: ({ taxIdKind }) => (taxId === undefined ? {} : checkTaxId({ taxId, taxIdKind })),
    reply: VendorTax,
    send: async (typed) => {
      const body = { ...typed, ...(taxId === undefined ? {} : { taxId }) };
      const saved = await send(ask(formCalls.updateVendorTax, { params: { id: vendorId }, body }));
      stale();
      return saved;
    },
    words: { saved: () => `1099 information for ${vendorName} saved` },
    onSaved: onClose,
    isReadOnly: !useManages('Manage Vendors'),
  });
  const { bind, isReadOnly } = form;
  const isEntering = taxId !== undefined || (taxIdEnd === '' && !isReadOnly);
  return (
    <RecordModal form={form} title={vendorName} size="narrow" onClose={onClose}>
      <div className="ek-form">
        <CheckField
          {...bind('is1099')}
          label="Track Payments for 1099"
          hint="Lists the vendor under Taxes, 1099 Forms"
        />
        <Picker
          {...bind('classification')}
          label="Tax Classification"
          hint="The box that is checked on Form W-9. Most corporations don't need a 1099 form."
          options={taxClassifications}
          noneLabel="Unknown"
        />
        <Picker {...bind('taxIdKind')} label="Type of Tax ID" options={KINDS} noneLabel="Unknown" span={6} />
        {isEntering ? (
          <TextField
            label="Tax ID"
            hint={taxIdEnd === '' ? 'Nine digits. The number is encrypted.' : `Replaces ${endedTaxId(taxIdEnd)}`}
            value={taxId ?? ''}
            onChange={setTaxId}
            error={form.errorOf('taxId')}
            maxLength={11}
            span={6}
          />
        ) : (
          <StoredTaxId vendorId={vendorId} end={taxIdEnd} onReplace={isReadOnly ? undefined : () => setTaxId('')} />
        )}
        <DateField
          {...bind('w9Date')}
          label="W-9 Received"
          hint={w9Requested === null ? undefined : `Requested ${formatDate(w9Requested)}`}
          span={6}
        />
      </div>
    </RecordModal>
  );
}

interface StoredProps {
  vendorId: number;
  end: string;
  onReplace: (() => void) | undefined;
}

/** The last four digits of a tax ID. Show reveals the whole ID, and the audit log records this. */
function StoredTaxId({ vendorId, end, onReplace }: StoredProps) {
  const alerts = useAlerts();
  const once = useOnce();
  const [shown, setShown] = useState<string>();
  const show = () =>
    void once.run(async () => {
      try {
        setShown((await send(ask(formCalls.showTaxId, { params: { id: vendorId } }))).taxId);
        return true;
      } catch (error) {
        alerts.error(messageOf(error));
        return undefined;
      }
    });
  return (
    <div className="en-taxid">
      <span className="en-taxid-label">Tax ID</span>
      <span className="ek-num">{end === '' ? 'Missing' : (shown ?? endedTaxId(end))}</span>
      {onReplace !== undefined && shown === undefined && (
        <Button variant="subtle" size="xs" onClick={show} title="The audit log records who views the tax ID">
          Show Tax ID
        </Button>
      )}
      {onReplace !== undefined && (
        <Button variant="subtle" size="xs" onClick={onReplace}>
          Replace
        </Button>
      )}
    </div>
  );
}
