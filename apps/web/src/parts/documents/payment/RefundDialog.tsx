import '../documents.css';
import { bankingCalls } from '@evenkeel/contract/banking';
import type { OpenDocument } from '@evenkeel/contract/subledger';
import { cents, formatAmount, negate, sum } from '@evenkeel/core/money';
import { REFUND } from '@evenkeel/core/documents/side';
import { useMemo } from 'react';
import { ask, useRead } from '../../../client/api.ts';
import { LoadedModal, RecordModal } from '../../../records/RecordModal.tsx';
import { useSave } from '../../../records/records.ts';
import { telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useToday } from '../../../ui/hooks/today.tsx';
import { useEntityChoice } from '../../choices/entities.ts';
import { Applications, type ApplyHeads } from './Applications.tsx';
import { Footing } from './Footing.tsx';
import { Kept } from '../entry/Kept.tsx';
import { moneyOptions, useLastChoice } from './moneyAccounts.ts';
import { PaymentForm, paymentFormOf, unpaidOf, withApplied } from './paymentForm.ts';
import { blankRefund, refundableOf, refundFaults, refundInput, refundTotal, refundWords } from './refundForm.ts';
import type { AnyPayment, DocumentSide } from '../side.ts';
import { PLACES } from './usePaymentEntry.ts';

interface Props {
  side: DocumentSide;
  entityId: number;
  /** The credit that the refund was opened from: a document's ID, or a payment's ID as a negative number. */
  of?: number | undefined;
  saved?: AnyPayment | undefined;
  onClose: () => void;
  onPosted: (paymentId: number) => void;
}

/** Refunds credit memos and unapplied payments. */
export function RefundDialog(props: Props) {
  const { side, entityId, saved, onClose } = props;
  const open = useRead(side.openDocuments(entityId, saved?.id ?? 0));
  const history = useRead(side.history(entityId));
  const banks = useRead(ask(bankingCalls.listBankingAccounts, { query: {} }));
  const title = useTitle(props);
  const last = useLastChoice(side, 'refund');
  const isAnswered = history.isAnswered && banks.isAnswered && last.isAnswered;
  const read = history.error === undefined ? open : history;
  const value = isAnswered && history.value !== undefined ? open.value : undefined;
  const credits = useMemo(
    () => refundableOf(open.value ?? [], history.value ?? [], saved),
    [open.value, history.value, saved],
  );
  const retry = async () => {
    await Promise.all([open.retry(), history.retry()]);
  };
  return (
    <LoadedModal title={title} size="xl" onClose={onClose} read={{ ...read, value, retry }}>
      {() => <Dialog {...props} {...{ title, credits, retry }} />}
    </LoadedModal>
  );
}

function useTitle({ side, entityId, saved }: Props): string {
  const entity = useEntityChoice(side.entities, entityId);
  if (saved !== undefined) return `${REFUND} ${saved.paymentNumber}`;
  return entity === undefined ? REFUND : `${refundWords(side).title} ${entity.displayname}`;
}

interface DialogProps extends Props {
  title: string;
  credits: readonly OpenDocument[];
  /** Another user may have used a credit in the meantime. */
  retry: () => Promise<void>;
}

const SHOWN = ['paymentDate', 'paymentTypeId', 'money', 'refNumber', 'checkNumber'];

function useRefund({ side, entityId, of, saved, credits, retry, onPosted }: DialogProps) {
  const today = useToday();
  const save = useSave(side.payments);
  const id = saved?.id ?? 0;
  const { takes } = refundWords(side);
  const last = useLastChoice(side, 'refund', { takes });
  const { choices } = last;
  const withDefaults = (typed: PaymentForm): PaymentForm => {
    if (saved !== undefined) return typed;
    const form = last.filledIn(typed);
    const check = last.checkAfter(form.money);
    return { ...form, checkNumber: form.checkNumber ?? (check.isFilledIn ? check.number : null) };
  };
  const whole = (typed: PaymentForm): PaymentForm => ({
    ...withDefaults(typed),
    applied: typed.applied ?? blankRefund({ today, entityId }, credits, of).applied,
  });
  const hasCheck = ({ paymentTypeId }: PaymentForm): boolean =>
    !side.core.hasPaymentTypes || choices.types.find((type) => type.id === paymentTypeId)?.displayName === 'Check';
  const typed = useRecordForm<AnyPayment, PaymentForm>({
    name: saved === undefined ? `refund:${side.core.name} ${entityId}.${of ?? 0}` : `refund:${side.core.name}`,
    id,
    saved,
    formOf: (one) =>
      one === undefined ? { ...blankRefund({ today, entityId }, [], of), applied: null } : refundFormOf(one, entityId),
    schema: PaymentForm,
    check: (form) => refundFaults(whole(form), credits, side),
    placed: (fields) => Object.fromEntries(Object.entries(fields).map(([path, text]) => [PLACES[path] ?? path, text])),
    send: (form, { place, reason }) =>
      save(id, refundInput(whole(form), credits, { saved, reason, hasCheck: hasCheck(whole(form)) }), place),
    reply: side.paymentReply,
    onFaults: () => void retry(),
    words: { saved: (one) => `${REFUND} ${one.paymentNumber} posted` },
    onSaved: (one) => onPosted(one.id),
  });
  const form = telling(typed, SHOWN);
  const shown = whole(form.values);
  const hint = saved === undefined ? last.hintFor(shown) : undefined;
  return { form, shown, choices, takes, hint, hasCheck: hasCheck(shown) };
}

/** Returns the form for a saved refund, with its credits under the IDs that the list uses. */
function refundFormOf(one: AnyPayment, entityId: number): PaymentForm {
  const form = paymentFormOf(one, entityId);
  const rests = one.paymentRefunds.map(({ paymentId, amount }) => [-paymentId, amount] as const);
  const memos = one.paymentApplications.map(({ invoiceId, amount }) => [invoiceId, negate(amount)] as const);
  return { ...form, applied: Object.fromEntries([...rests, ...memos]) };
}

const HEADS: ApplyHeads = {
  number: 'Credit',
  date: 'Date',
  before: 'Used Before',
  now: 'This Refund',
  after: 'Remaining',
  count: { one: 'credit', many: 'credits' },
  field: ({ invoiceNumber }: OpenDocument) => `Refund amount for ${invoiceNumber}`,
};

function Dialog(props: DialogProps) {
  const { side, title, credits, onClose } = props;
  const { form, shown, choices, takes, hint, hasCheck } = useRefund(props);
  const total = refundTotal(shown, credits);
  const words = refundWords(side);
  const left = sum(credits.map(unpaidOf));
  const chosen = shown.paymentTypeId;
  const types = choices.types
    .filter(({ id, active }) => active || id === chosen)
    .map(({ id, displayName }) => ({ id, label: displayName }));
  const { isLoading } = choices;
  return (
    <RecordModal
      form={form}
      title={title}
      size="xl"
      beside={<Kept at={form.savedAt} />}
      onClose={onClose}
      footer={{
        primary: {
          label: total > 0 ? `${REFUND} ${formatAmount(total)}` : REFUND,
          onClick: form.save,
          busy: form.busy,
          disabled: credits.length === 0,
        },
        total: (
          <Footing
            verb="Refunding"
            part={total}
            total={left}
            rest={{ label: 'remaining', amount: cents(left - total) }}
          />
        ),
      }}
    >
      <div className="ek-form">
        <DateField {...form.bind('paymentDate')} label="Refund Date" autoFocus span="third" />
        {side.core.hasPaymentTypes && (
          <Picker
            {...form.bind('paymentTypeId')}
            {...{ isLoading }}
            value={shown.paymentTypeId}
            label="Payment Type"
            options={types}
            span="third"
          />
        )}
        <Picker
          {...form.bind('money')}
          value={shown.money}
          label={words.money}
          options={moneyOptions(choices, takes, shown.money)}
          isLoading={isLoading}
          hint={hint}
          span={4}
        />
        <TextField {...form.bind('refNumber')} label="Ref Number" maxLength={100} span="third" />
        {hasCheck && (
          <TextField
            {...form.bind('checkNumber')}
            value={shown.checkNumber ?? ''}
            label="Check Number"
            maxLength={50}
            span="third"
          />
        )}
      </div>
      {credits.length === 0 ? (
        <p className="ek-muted">No credit to refund. All credits have been used.</p>
      ) : (
        <Applications
          label={`Credits for this ${side.core.words.entity}`}
          form={shown}
          open={credits}
          detail={false}
          heads={HEADS}
          onApply={(credit, amount) => form.onChange(withApplied(shown, credit, amount))}
        />
      )}
    </RecordModal>
  );
}
