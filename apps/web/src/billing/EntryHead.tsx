import type { BillingInvoice } from '@evenkeel/contract/billing';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useState } from 'react';
import { useMay } from '../session.ts';
import { DateField } from '../ui/fields/DateField.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { type EntryForm, withInvoiceDate } from './invoiceForm.ts';
import { NewCustomer } from './NewCustomer.tsx';
import { useBillingStatuses, useCustomerOptions } from './queries.ts';

export interface EntryHeadProps {
  form: EntryForm;
  set: (change: (before: EntryForm) => EntryForm) => void;
  saved: BillingInvoice | undefined;
  faults: FieldMessages;
}

/** Customer, Invoice Date, Due Date, Invoice Number (read-only), Billing Status. */
export function EntryHead({ form, set, saved, faults }: EntryHeadProps) {
  const statuses = useBillingStatuses();
  return (
    <div className="ek-form">
      <div className="ek-c4">
        <CustomerField form={form} set={set} saved={saved} faults={faults} />
      </div>
      <div className="ek-c2 ek-half">
        <DateField
          id="entry-invoiceDate"
          label="Invoice Date"
          value={form.invoiceDate}
          error={faults['invoiceDate']}
          onChange={(date) => set((before) => withInvoiceDate(before, date))}
        />
      </div>
      <div className="ek-c2 ek-half">
        <DateField
          label="Due Date"
          value={form.dueDate}
          error={faults['dueDate']}
          onChange={(dueDate) => set((before) => ({ ...before, dueDate }))}
        />
      </div>
      <div className="ek-c2 ek-half">
        <TextField
          label="Invoice Number"
          value={saved?.invoiceNumber ?? ''}
          placeholder="Given when saved"
          readOnly
          onChange={() => undefined}
        />
      </div>
      <div className="ek-c2 ek-half">
        <Picker
          label="Billing Status"
          options={statuses}
          value={form.status}
          error={faults['arBillingStatus']}
          onChange={(status) => set((before) => ({ ...before, status: status ?? before.status }))}
        />
      </div>
    </div>
  );
}

/** The customer picker; what is in no option can be added on the spot. */
function CustomerField({ form, set, saved, faults }: EntryHeadProps) {
  const mayAdd = useMay()('Manage Customers');
  const current = saved && { id: saved.customerId, label: saved.customerDisplayName };
  const known = useCustomerOptions(current);
  const [adding, setAdding] = useState<string>();
  const [added, setAdded] = useState<{ id: number; label: string }>();
  const isNews = added !== undefined && !known.some((option) => option.id === added.id);
  return (
    <>
      <Picker
        id="entry-customerId"
        label="Customer"
        options={isNews ? [...known, added] : known}
        value={form.customerId}
        error={faults['customerId']}
        autoFocus={saved === undefined && form.customerId === null}
        onChange={(customerId) => set((before) => ({ ...before, customerId }))}
        onCreate={mayAdd ? setAdding : undefined}
      />
      {adding !== undefined && (
        <NewCustomer
          name={adding}
          onClose={() => setAdding(undefined)}
          onCreated={(customer) => {
            setAdding(undefined);
            setAdded({ id: customer.id, label: customer.displayname });
            set((before) => ({ ...before, customerId: customer.id }));
          }}
        />
      )}
    </>
  );
}
