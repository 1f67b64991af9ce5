import type { BankLine } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { formatAmount } from '@evenkeel/core/money';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useId } from 'react';
import { usePostingAccounts } from '../../../parts/banking/postingAccounts.ts';
import { useDimensions } from '../../../parts/choices/dimensions.ts';
import { CUSTOMERS, useEntityOptions, VENDORS } from '../../../parts/choices/entities.ts';
import { binderOf, draftIn } from '../../../records/useRecordForm.ts';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { type Draft, useDraft } from '../../../ui/hooks/draft.ts';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { Status } from '../../../ui/show/Status.tsx';
import { addFaults, AddForm, addFormOf, addInput, type AddLineForm, remainingOf } from './addForm.ts';
import { withoutRow, withRest, withRow } from './addForm.ts';
import { Editor } from './Editor.tsx';
import { Told } from './Told.tsx';
import { type Delivery, useDelivery } from './useDelivery.ts';
import type { Review } from './useReview.ts';
import { type Names, sizeOf } from './work.ts';

export interface AddEditorProps {
  review: Review;
  line: BankLine;
  names: Names;
  /** The bank account's own GL account, which rows can't use. */
  glAccountId: number;
  isSplit: boolean;
}

/** Categorizes a bank transaction to one account, or splits it across several. Amounts are entered without a sign. */
export function AddEditor({ review, line, names, glAccountId, isSplit }: AddEditorProps) {
  const initial = addFormOf(line, isSplit);
  const draft = useDraft<AddForm>({
    name: `bankline:${line.id}`,
    initial,
    read: (stored) => draftIn(AddForm, stored, initial),
  });
  const form = draft.value;
  const delivery = useDelivery(review, line, {
    check: addFaults(form, line.amount),
    place: draft.sent,
    onDone: draft.clear,
  });
  const size = formatAmount(sizeOf(line.amount));
  const bank = names.bank(line.bankAccountId);
  const posts = `Posts on ${formatDate(line.date)} to ${bank} and matches the bank transaction`;
  return (
    <Editor
      title={`Add: ${size} ${line.amount < 0 ? 'out' : 'in'}`}
      detail={posts}
      word="Add"
      isOff={remainingOf(form, line.amount) !== 0}
      isBusy={delivery.isBusy}
      isTyped={draft.dirty}
      onDo={() => delivery.run(addInput(form, line))}
      onClose={() => review.setWay(undefined)}
      onDiscard={() => draft.clear(initial)}
    >
      <Told delivery={delivery} />
      <Whole line={line} draft={draft} delivery={delivery} />
      <Rows {...{ line, draft, delivery, glAccountId }} />
    </Editor>
  );
}

interface PartProps {
  line: BankLine;
  draft: Draft<AddForm>;
  delivery: Delivery;
}

function useChange({ draft, delivery }: Pick<PartProps, 'draft' | 'delivery'>) {
  return (change: (form: AddForm) => AddForm) => {
    delivery.touched();
    draft.set(change);
  };
}

/** The customer or vendor, and the description. */
function Whole({ line, draft, delivery }: PartProps) {
  const change = useChange({ draft, delivery });
  const isIn = line.amount > 0;
  const { entityId, memo } = draft.value;
  const choices = useEntityOptions(isIn ? CUSTOMERS : VENDORS, entityId);
  return (
    <div className="rv-whole">
      <Picker
        {...choices}
        label={isIn ? 'Customer' : 'Vendor'}
        noneLabel="None"
        value={entityId}
        error={delivery.fields['entityId']}
        onChange={(next) => change((form) => ({ ...form, entityId: next }))}
      />
      <TextField
        label="Description"
        maxLength={500}
        value={memo}
        error={delivery.fields['memo']}
        onChange={(next) => change((form) => ({ ...form, memo: next }))}
      />
    </div>
  );
}

/** The accounts with their amounts, and the remaining amount. */
function Rows({ line, draft, delivery, glAccountId }: PartProps & { glAccountId: number }) {
  const change = useChange({ draft, delivery });
  const form = draft.value;
  const rest = remainingOf(form, line.amount);
  const last = form.lines.at(-1);
  const fill = (id: number) => change((typed) => withRest(typed, id, line.amount));
  return (
    <div className="rv-splits">
      {form.lines.map((row, at) => (
        <Row
          key={row.id}
          row={row}
          at={at}
          errorOf={(name) => delivery.fields[`lines.${at}.${name}`]}
          glAccountId={glAccountId}
          onChange={(next) =>
            change((typed) => ({ ...typed, lines: typed.lines.map((one) => (one.id === next.id ? next : one)) }))
          }
          onFill={() => fill(row.id)}
          onRemove={
            form.lines.length === 1 ? undefined : () => change((typed) => withoutRow(typed, row.id, line.amount))
          }
        />
      ))}
      <div className="rv-rest">
        <Button
          className="ek-btn-link"
          variant="subtle"
          leftSection={<IconPlus {...ICON_SMALL} />}
          onClick={() => change(withRow)}
        >
          Add Line
        </Button>
        {rest !== 0 && last !== undefined && (
          <>
            <Status look="low">{`Remaining ${formatAmount(rest)}`}</Status>
            <Button variant="default" onClick={() => fill(last.id)}>
              Add Here
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

interface RowProps {
  row: AddLineForm;
  at: number;
  errorOf: (name: string) => string | undefined;
  glAccountId: number;
  onChange: (row: AddLineForm) => void;
  /** Fills in the remaining amount. */
  onFill: () => void;
  onRemove: (() => void) | undefined;
}

function Row({ row, at, errorOf, glAccountId, onChange, onFill, onRemove }: RowProps) {
  const accounts = usePostingAccounts(glAccountId);
  const { profitCenters, locations } = useDimensions();
  const bind = binderOf<AddLineForm>({ values: row, onChange, errorOf, isReadOnly: false });
  const isUsed = ({ isRetired }: { isRetired?: boolean }) => isRetired !== true;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== '=') return;
    event.preventDefault();
    onFill();
  };
  return (
    <div className="rv-split" role="group" aria-label={`Line ${at + 1}`} id={useId()}>
      <Picker
        {...bind('accountID')}
        options={accounts.options}
        isLoading={accounts.isLoading}
        label="Account"
        autoFocus={at === 0}
      />
      {profitCenters !== undefined && (
        <Picker
          {...bind('profitcenterid')}
          options={profitCenters.filter(isUsed)}
          label="Profit Center"
          noneLabel="None"
        />
      )}
      {locations !== undefined && (
        <Picker {...bind('locationid')} options={locations.filter(isUsed)} label="Location" noneLabel="None" />
      )}
      <div className="rv-part" onKeyDownCapture={onKeyDown}>
        <MoneyField {...bind('amount')} label="Amount" />
      </div>
      {onRemove !== undefined && (
        <ActionIcon aria-label={`Remove line ${at + 1}`} onClick={onRemove}>
          <IconX {...ICON_SMALL} />
        </ActionIcon>
      )}
    </div>
  );
}
