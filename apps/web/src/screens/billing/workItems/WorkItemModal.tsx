import { WorkItem } from '@evenkeel/contract/workitems';
import { useMay } from '../../../client/session.ts';
import { useWithDimensions } from '../../../parts/choices/dimensions.ts';
import { type LineChoices, useLineChoices } from '../../../parts/choices/products.ts';
import { EntityField } from '../../../parts/documents/entry/EntityField.tsx';
import { LoadedModal, RecordModal } from '../../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../../records/records.ts';
import { type RecordForm, useRecordForm } from '../../../records/useRecordForm.ts';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import { LineFields } from '../../../ui/lines/LineFields.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { entryColumns, entryParts } from '../invoices/entryColumns.tsx';
import { BILLING } from '../records.ts';
import { ItemForm, itemFaults, itemFormOf, itemInput, lineErrors, placedItem } from './workItemForm.ts';
import { WORK_ITEMS } from './workItems.ts';

export interface WorkItemModalProps {
  /** The ID of the work item. 0 for a new one. */
  id: number;
  onClose: () => void;
}

const TITLE = 'Work Item Entry';

/** The Work Item Entry modal. */
export function WorkItemModal({ id, onClose }: WorkItemModalProps) {
  return (
    <LoadedModal {...useWithDimensions(id, useOne(WORK_ITEMS, id))} title={TITLE} size="lg" onClose={onClose}>
      {(saved) => <ItemModal {...{ id, onClose, saved }} />}
    </LoadedModal>
  );
}

function ItemModal({ id, onClose, saved }: WorkItemModalProps & { saved: WorkItem | undefined }) {
  const choices = useLineChoices();
  const today = useToday();
  const save = useSave(WORK_ITEMS);
  const isBilled = saved !== undefined && saved.invoiceId !== null;
  const form = useRecordForm<WorkItem, ItemForm>({
    name: 'workitem',
    id,
    saved,
    formOf: (one) => itemFormOf(one, today),
    schema: ItemForm,
    check: (typed) => itemFaults(typed, choices.required),
    placed: placedItem,
    reply: WorkItem,
    send: (typed, { place }) => save(id, itemInput(typed), place),
    remove: useRemove(WORK_ITEMS),
    words: { saved: ({ displayName }) => `${displayName} saved` },
    onSaved: onClose,
    onRemoved: onClose,
    isReadOnly: !useMay()('Manage Billing') || isBilled,
  });
  return (
    <RecordModal
      form={form}
      title={TITLE}
      size="lg"
      beside={isBilled && <Status look="done">Billed</Status>}
      question="Delete this work item?"
      onClose={onClose}
    >
      {isBilled && <BilledOn item={saved} />}
      <div className="ek-form bl-item">
        <ItemHead form={form} saved={saved} />
        <ItemLine form={form} choices={choices} />
      </div>
    </RecordModal>
  );
}

function BilledOn({ item: { invoiceId, invoiceNumber } }: { item: WorkItem }) {
  return (
    <InlineAlert kind="Info">
      Billed on invoice{' '}
      <NameLink to={`/billing?invoice=${invoiceId}`} isNumber>
        {invoiceNumber}
      </NameLink>
      . Edit it there. If you delete that invoice or its line, the work item becomes unbilled again.
    </InlineAlert>
  );
}

function ItemHead({ form: { bind }, saved }: { form: RecordForm<ItemForm>; saved: WorkItem | undefined }) {
  const customer = saved && { id: saved.customerId, name: saved.customerDisplayName };
  return (
    <>
      <EntityField side={BILLING} field={bind('customerId')} current={customer} />
      <div className="ek-c4 ek-half">
        <DateField {...bind('workitemDate')} label="Work Item Date" />
      </div>
      <div className="ek-c4 ek-half">
        <DateField {...bind('dueDate')} label="Due Date" />
      </div>
    </>
  );
}

const SPANS = { serviceDate: 4, productId: 8, price: 3, quantity: 3, taxable: 3, amount: 3 } as const;

/** The fields of a billing line. The account, profit center, and location share a row if they are used. */
function ItemLine({ form, choices }: { form: RecordForm<ItemForm>; choices: LineChoices }) {
  const { values, fields, patch, isReadOnly } = form;
  const { line } = values;
  const places = Number(choices.profitCenters !== undefined) + Number(choices.locations !== undefined);
  const posting = places === 0 ? {} : { accountId: places === 1 ? 8 : 6, ...PLACES[places] };
  return (
    <>
      <LineFields
        columns={entryColumns(choices).map((column) => (column.id === 'serviceDate' ? { ...column, ...DATE } : column))}
        spans={{ ...SPANS, ...posting }}
        line={line}
        set={(change) => patch({ line: { ...line, ...change } })}
        errors={lineErrors(fields)}
        readOnly={isReadOnly}
      />
      {entryParts(line)}
    </>
  );
}

const DATE = { header: 'Sale/Service Date', half: false };
const PLACES: Readonly<Record<number, Readonly<Record<string, 3 | 4>>>> = {
  1: { profitCenterId: 4, locationId: 4 },
  2: { profitCenterId: 3, locationId: 3 },
};
