import type { EntityRow } from '@evenkeel/contract/entities';
import { entityCalls } from '@evenkeel/contract/entities';
import type { IsoDate } from '@evenkeel/core/dates';
import { MOST_STATEMENTS, reportCalls } from '@evenkeel/contract/reports';
import { formatUsd } from '@evenkeel/core/money';
import { useState } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { usePapers } from '../../parts/documents/panel/usePdf.tsx';
import { SEND_ROW, SendList } from '../../parts/sending/SendList.tsx';
import { usePlace } from '../../records/place.ts';
import { LoadedModal } from '../../records/RecordModal.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { DrawnList } from '../../ui/lines/DrawnList.tsx';
import { counted } from '../../ui/show/words.ts';
import { useToday } from '../../ui/hooks/today.tsx';

const WORDS = { one: 'Statement', many: 'Statements' };
const SAYS =
  "Each statement goes to the customer's email address, with the text from Settings. " +
  'Statements that you already sent for these dates are skipped.';
const ALL = ask(entityCalls.listCustomers, { query: {} });

/** Opens the dialog for `?statements=1` if the user can send to customers and see their balances. */
export function useStatements() {
  const { query, go } = usePlace();
  const isAllowed = useMay()('Manage Billing');
  const open = () => go({ statements: 1 }, { step: ['statements'] });
  return {
    actions: isAllowed ? [{ label: 'Statements', onClick: open }] : [],
    dialog: isAllowed && query.get('statements') === '1' && (
      <SendStatements onClose={() => go({ statements: undefined })} />
    ),
  };
}

/** Sends statements for a date range to all customers with a balance, or to the selected ones. */
function SendStatements({ onClose }: { onClose: () => void }) {
  return (
    <LoadedModal read={useRead(ALL, { alert: 'Error Loading Customers' })} title="Statements" onClose={onClose}>
      {(read) => read !== undefined && <Choose all={Array.isArray(read) ? read : read.items} onClose={onClose} />}
    </LoadedModal>
  );
}

/** Splits the statements into PDF files: a single "PDF", or "PDF 1–500" and so on if there are very many. */
function partsOf<Row>(rows: readonly Row[]): { label: string; part: readonly Row[] }[] {
  const count = Math.ceil(rows.length / MOST_STATEMENTS);
  return Array.from({ length: count }, (_, at) => {
    const part = rows.slice(at * MOST_STATEMENTS, (at + 1) * MOST_STATEMENTS);
    const from = at * MOST_STATEMENTS + 1;
    return { label: count === 1 ? 'PDF' : `PDF ${from}–${from + part.length - 1}`, part };
  });
}

function Choose({ all, onClose }: { all: readonly EntityRow[]; onClose: () => void }) {
  const today = useToday();
  const [from, setFrom] = useState<IsoDate | null>(null);
  const [to, setTo] = useState<IsoDate | null>(today);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const owing = all.filter(({ currentbalance = 0 }) => currentbalance > 0);
  const isBad = to === null || (from !== null && from > to);
  const rows = owing
    .filter(({ id }) => !left.has(id))
    .map(({ id, displayname }) => ({
      id,
      title: displayname,
      body: { customerId: id, startdate: from, reportdate: to },
    }));
  const papers = usePapers({ title: counted(rows.length, WORDS), fileName: 'statements.pdf' });
  const also = partsOf(rows).map(({ label, part }) => ({
    label,
    onClick: () => {
      const customerIds = part.map(({ id }) => id);
      papers.show(ask(reportCalls.customerStatements, { body: { customerIds, startdate: from, reportdate: to } }));
    },
    disabled: isBad,
  }));
  const change = (id: number, isSent: boolean) => {
    const others = new Set(left);
    if (isSent) others.delete(id);
    else others.add(id);
    setLeft(others);
  };
  return (
    <SendList {...{ rows, isBad, onClose, also }} words={WORDS} label="Statements" says={SAYS}>
      <div className="ek-form">
        <DateField label="From" placeholder="Fiscal year" value={from} onChange={setFrom} span={6} autoFocus />
        <DateField
          label="To"
          value={to}
          onChange={setTo}
          error={isBad ? 'Please enter a date on or after the start date' : undefined}
          span={6}
        />
      </div>
      {owing.length === 0 && <p className="ek-muted">No customer has an open balance.</p>}
      {owing.length > 1 && (
        <CheckField
          label={`All ${owing.length.toLocaleString('en-US')}`}
          value={rows.length === owing.length}
          onChange={(isAll) => setLeft(new Set(isAll ? [] : owing.map(({ id }) => id)))}
        />
      )}
      <DrawnList className="sd-results" label="Customers" rows={owing} keyOf={({ id }) => id} height={SEND_ROW}>
        {({ id, displayname, currentbalance }) => (
          <>
            <CheckField label={displayname} value={!left.has(id)} onChange={(isSent) => change(id, isSent)} />
            <span className="ek-num">{currentbalance === undefined ? '' : formatUsd(currentbalance)}</span>
          </>
        )}
      </DrawnList>
      {papers.panel}
    </SendList>
  );
}
