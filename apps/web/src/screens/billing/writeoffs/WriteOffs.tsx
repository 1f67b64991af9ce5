import '../../../parts/sending/sending.css';
import { type WriteOffCandidate, writeOffCalls, type WriteOffResult } from '@evenkeel/contract/writeoffs';
import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, formatAmount, formatUsd, sum, toPlain } from '@evenkeel/core/money';
import { orNothing } from '@evenkeel/core/nothing';
import { documentKinds } from '@evenkeel/core/documents/side';
import { useState } from 'react';
import { ask, messageOf, useRead, useSendOne, useStale } from '../../../client/api.ts';
import { isAdministrator, useMay, useSession } from '../../../client/session.ts';
import { EntityLink } from '../../../parts/documents/list/documentColumns.tsx';
import { PanelTabs } from '../../../parts/documents/panel/PanelTabs.tsx';
import { useDeletion } from '../../../parts/documents/panel/useDeletion.tsx';
import { useOpenRecord } from '../../../records/openRecord.ts';
import { useBeside } from '../../../parts/documents/beside.ts';
import { because } from '../../../records/reads.ts';
import { ClosingReason } from '../../../records/RecordModal.tsx';
import { RecordPanel } from '../../../records/RecordPanel.tsx';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { CheckField } from '../../../ui/fields/CheckField.tsx';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { MoneyField } from '../../../ui/fields/MoneyField.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useSettled } from '../../../ui/hooks/settled.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { Facts } from '../../../ui/show/Facts.tsx';
import { Figure } from '../../../ui/show/Figure.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { counted } from '../../../ui/show/words.ts';
import { BILLING, INVOICES } from '../records.ts';

/** The delay in ms after the last key press before invoices are loaded. */
const TYPING = 300;

interface Search {
  most: Cents | null;
  before: IsoDate | null;
}

/**
 * Writes off one invoice. If `invoiceId` is 0, writes off all invoices up to a maximum amount that were due before a
 * date, except invoices that the user excludes.
 */
export function WriteOffs({ invoiceId, onClose }: { invoiceId: number; onClose: () => void }) {
  const [search, setSearch] = useState<Search>({ most: null, before: null });
  const settled = useSettled(search, TYPING);
  const isAsked = invoiceId > 0 || settled.most !== null || settled.before !== null;
  const query =
    invoiceId > 0
      ? { invoiceId }
      : {
          ...(settled.most === null ? {} : { most: toPlain(settled.most) }),
          ...(settled.before === null ? {} : { before: settled.before }),
        };
  const read = useRead(ask(writeOffCalls.writeOffCandidates, { query }), { enabled: isAsked });
  const rows = isAsked ? (read.value ?? []) : [];
  const form = useForm(rows, onClose);
  const { chosen, done, results } = form;
  const total = sum(chosen.map(({ openAmount }) => openAmount));
  return (
    <AppModal
      opened
      grows
      title={invoiceId > 0 ? `Write Off Invoice ${rows[0]?.invoiceNumber ?? ''}` : 'Write Off Invoices'}
      onClose={onClose}
      footer={{
        actions: done ? [] : [{ label: 'Cancel', onClick: onClose, quiet: true }],
        primary: done
          ? { label: 'Done', onClick: onClose }
          : {
              label: total > 0 ? `Write Off ${formatAmount(total)}` : 'Write Off',
              onClick: () => void form.post(),
              busy: form.busy,
              disabled: chosen.length === 0 || form.date === null,
            },
      }}
    >
      <div className="ek-stack">
        {form.problem !== '' && <InlineAlert kind="Error">{form.problem}</InlineAlert>}
        {form.isClosed && <ClosingReason value={form.reason} onChange={form.setReason} />}
        {done ? (
          <p role="status">
            {results?.filter(({ ok }) => ok).length ?? 0} of {counted(results?.length ?? 0, INVOICES.words)} written
            off.
          </p>
        ) : (
          <div className="ek-form">
            {invoiceId === 0 && <Searched search={search} onChange={setSearch} />}
            <DateField label="Write-Off Date" value={form.date} onChange={form.setDate} span={4} />
            <TextField label="Reason" value={form.note} onChange={form.setNote} maxLength={500} />
            <CheckField
              label="Reduce the sales tax you owe by the tax on these invoices"
              value={form.withTax}
              onChange={form.setWithTax}
            />
          </div>
        )}
        {read.error !== undefined && <ErrorState message={read.error} onRetry={read.retry} />}
        {!isAsked && <p className="ek-muted">Enter an amount or a date to see invoices.</p>}
        {isAsked && read.value?.length === 0 && <p className="ek-muted">No open invoices match these filters.</p>}
        <ul className="sd-results" aria-label="Invoices">
          {rows.map((row) => (
            <Line key={row.invoiceId} row={row} form={form} isAlone={invoiceId > 0} />
          ))}
        </ul>
      </div>
    </AppModal>
  );
}

function Searched({ search, onChange }: { search: Search; onChange: (search: Search) => void }) {
  return (
    <>
      <MoneyField
        label="Maximum Unpaid Amount"
        value={search.most}
        onChange={(most) => onChange({ ...search, most })}
        span={4}
        autoFocus
      />
      <DateField
        label="Due Before"
        value={search.before}
        onChange={(before) => onChange({ ...search, before })}
        span={4}
      />
    </>
  );
}

type Form = ReturnType<typeof useForm>;

/** Manages the dialog: its form, the included invoices, and their results. */
function useForm(rows: readonly WriteOffCandidate[], onClose: () => void) {
  const alerts = useAlerts();
  const stale = useStale();
  const sendOne = useSendOne();
  const administers = isAdministrator(useSession());
  const [date, setDate] = useState<IsoDate | null>(useToday());
  const [note, setNote] = useState('');
  const [withTax, setWithTax] = useState(false);
  const [out, setOut] = useState<readonly number[]>([]);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [isClosed, setIsClosed] = useState(false);
  const [results, setResults] = useState<readonly WriteOffResult[]>();
  const chosen = rows.filter(({ invoiceId }) => !out.includes(invoiceId));
  const post = async () => {
    if (date === null) return;
    setBusy(true);
    setProblem('');
    try {
      const body = chosen.map(({ invoiceId, openAmount: amount }) => {
        return { invoiceId, amount, writeOffDate: date, withTax, reason: note, ...because(reason) };
      });
      const answer = await sendOne(ask(writeOffCalls.createWriteOff, { body }));
      if (!Array.isArray(answer)) throw new Error('a request for a list returned one write-off');
      stale();
      const refused = answer.filter(({ ok }) => !ok);
      if (refused.length === 0) {
        alerts.success(`${counted(answer.length, INVOICES.words)} written off`);
        onClose();
      } else if (refused.length === answer.length) {
        // Nothing was written off, so the user can try again, with a reason if required.
        setProblem(refused[0]?.message ?? '');
        setIsClosed(refused[0]?.code === 'closed');
      } else setResults(answer);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return {
    date,
    setDate,
    note,
    setNote,
    withTax,
    setWithTax,
    reason,
    setReason,
    busy,
    problem,
    results,
    chosen,
    post,
    isClosed: administers && isClosed,
    done: results !== undefined,
    isOut: (id: number) => out.includes(id),
    toggle: (id: number, isIn: boolean) => setOut(isIn ? out.filter((each) => each !== id) : [...out, id]),
  };
}

function Line({ row, form, isAlone }: { row: WriteOffCandidate; form: Form; isAlone: boolean }) {
  const { invoiceId, invoiceNumber, customerDisplayName, dueDate, openAmount, taxAmount } = row;
  const result = form.results?.find((each) => each.invoiceId === invoiceId);
  const name = `${invoiceNumber} ${customerDisplayName}`;
  return (
    <li>
      {form.done || isAlone ? (
        <span>{name}</span>
      ) : (
        <CheckField label={name} value={!form.isOut(invoiceId)} onChange={(isIn) => form.toggle(invoiceId, isIn)} />
      )}
      {result === undefined ? (
        <span className="ek-num">
          {dueDate !== null && (
            <span className="ek-second ek-small">
              due <DateText value={dueDate} />{' '}
            </span>
          )}
          {formatUsd(openAmount)}
          {taxAmount > 0 && <span className="ek-second ek-small"> with {formatUsd(taxAmount)} tax</span>}
        </span>
      ) : result.ok ? (
        <Status look="sent">{`Written off as ${result.writeOffNumber ?? ''}`}</Status>
      ) : (
        <span className="ek-small">{result.message}</span>
      )}
    </li>
  );
}

const readOne = (id: number) => ask(writeOffCalls.getWriteOff, { params: { id } });
const KEPT = {
  get: readOne,
  remove: (id: number, reason: string) =>
    ask(writeOffCalls.deleteWriteOff, {
      params: { id },
      query: reason === '' ? {} : { closingOverrideReason: reason },
    }),
};

interface PanelProps {
  id: number;
  onClose: () => void;
}

/** A write-off's panel next to the list. Deleting the write-off reopens its invoice. */
export function WriteOffPanel({ id, onClose }: PanelProps) {
  const invoice = useBeside(documentKinds.invoice.screen.key);
  const read = useRead(readOne(id));
  const manages = useMay()('Manage Billing');
  const what = `write-off ${read.value?.writeOffNumber ?? ''}`;
  const deletion = useDeletion(KEPT, { id, what, onDone: onClose });
  return (
    <RecordPanel
      read={read}
      kind="Write-Off"
      title={({ writeOffNumber }) => `Write-Off ${writeOffNumber}`}
      onClose={onClose}
      footer={manages ? { remove: deletion.action } : undefined}
    >
      {(one) => (
        <>
          {deletion.trouble}
          <Figure note="written off">
            <Amount value={one.amount} sign />
          </Figure>
          <PanelTabs label={`Write-Off ${one.writeOffNumber}`} source={{ type: documentKinds.writeoff.source, id }}>
            <Facts
              facts={[
                {
                  label: 'Customer',
                  value: <EntityLink side={BILLING} id={one.customerId} name={one.customerDisplayName} />,
                },
                { label: 'Date', value: <DateText value={one.writeOffDate} /> },
                {
                  label: 'For Invoice',
                  value: one.invoiceId !== null && (
                    <NameLink {...invoice.link(one.invoiceId)} isNumber>
                      {one.invoiceNumber}
                    </NameLink>
                  ),
                },
                { label: 'Bad Debt', value: <Amount value={one.badDebtAmount} /> },
                { label: 'Sales Tax', value: <Amount value={one.taxAmount} zero="dash" /> },
                { label: 'Reason', value: orNothing(one.reason) },
              ]}
            />
          </PanelTabs>
        </>
      )}
    </RecordPanel>
  );
}

/** The form in the URL: `writeoff` is the ID of an invoice, or 0 for several invoices. */
export function WriteOffForm({ manages }: { manages: boolean }) {
  const form = useOpenRecord('writeoff');
  if (form.id === undefined || !manages) return null;
  return <WriteOffs key={form.id} invoiceId={form.id} onClose={form.close} />;
}
