import type { ReplyOf } from '@evenkeel/contract/endpoint';
import type { OpenItem } from '@evenkeel/contract/explain';
import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import { cents, formatAmount, formatUsd, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ask as asked } from '../../client/api.ts';
import { type PagesRead, usePages } from '../../client/pages.ts';
import { useMay } from '../../client/session.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { counted } from '../../ui/show/words.ts';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import type { Explained } from './explained.ts';
import { documentAddress, sourceWord } from './sources.ts';
import { useSeesLedger } from '../../client/seesLedger.ts';

type OpenItemsPage = ReplyOf<typeof ledgerCalls.openItems>;

interface Shared {
  note: ReactNode;
  onTransaction: (id: number) => void;
}

/** Returns the cursor for the next page of a list that reports its total number of rows. */
export function nextOf(page: { items: readonly unknown[]; count: number }, pages: readonly (typeof page)[]) {
  const read = pages.reduce((count, one) => count + one.items.length, 0);
  return page.items.length === 0 || read >= page.count ? undefined : String(read);
}

interface FoundProps extends Pick<Shared, 'note'> {
  /** The pages loaded so far. The total comes from the first page and reloads after every write. */
  found: PagesRead<unknown>;
  /** The amount in cents, or the text that is shown instead. Undefined while it loads. */
  amount: ReactNode;
  children: ReactNode;
}

/** The total, shown above its rows. */
export function Found({ found, amount, note, children }: FoundProps) {
  if (found.error !== undefined) return <ErrorState message={found.error} onRetry={found.retry} />;
  if (amount === undefined) return <p role="status">Loading...</p>;
  return (
    <>
      <Figure note={note}>{typeof amount === 'number' ? <Amount value={cents(amount)} sign /> : amount}</Figure>
      {children}
      {found.hasMore && (
        <Button variant="default" loading={found.isReadingMore} onClick={found.readMore}>
          Show more
        </Button>
      )}
    </>
  );
}

/** The entries of the accounts in a total, newest first. */
export function Entries({ ask, credit, note, onTransaction }: Extract<Explained, { kind: 'entries' }> & Shared) {
  const found = usePages(
    (after) => asked(ledgerCalls.figureEntries, { body: after === '' ? ask : { ...ask, after } }),
    (page) => page.next ?? undefined,
  );
  const signed = (debit: number): number => (credit ? -debit : debit) + 0;
  const rows = found.value?.flatMap((page) => page.items) ?? [];
  const [first] = found.value ?? [];
  const shown = cents(signed(sum(rows.map(debitOf))));
  return (
    <Found found={found} note={note} amount={first && signed(first.amount)}>
      {rows.length === 0 ? (
        <p className="ek-muted">No entries on these dates.</p>
      ) : (
        <MiniTable<GlEntry>
          label="Entries"
          className="lg-behind"
          columns={[
            { header: 'Post Date', className: 'ek-num', render: (entry) => <DateText value={entry.postingDate} /> },
            {
              header: 'Description',
              className: 'lg-words',
              render: (entry) => <EntryName entry={entry} onTransaction={onTransaction} />,
            },
            { header: 'Amount', right: true, render: (entry) => <Amount value={cents(signed(debitOf(entry)))} /> },
          ]}
          rows={rows}
          keyOf={(entry) => entry.glid}
          total={{
            label: found.hasMore ? `Total of the first ${rows.length}` : 'Total',
            value: <Amount value={shown} />,
          }}
        />
      )}
    </Found>
  );
}

const debitOf = ({ debitAmount, creditAmount }: GlEntry) => cents((debitAmount ?? 0) - (creditAmount ?? 0));

function EntryName({ entry, onTransaction }: { entry: GlEntry } & Pick<Shared, 'onTransaction'>) {
  const name = entry.description === '' ? sourceWord(entry.sourceType) : entry.description;
  const more = [entry.displayAccountLabel, entry.entityName].filter((text) => text !== '').join(' · ');
  return (
    <>
      <DocumentName {...{ sourceType: entry.sourceType, sourceId: entry.sourceId, name }}>
        <button type="button" className="ek-link" onClick={() => onTransaction(entry.transactionID)}>
          {name}
        </button>
      </DocumentName>
      <div className="ek-muted ek-small">{more}</div>
    </>
  );
}

interface DocumentNameProps {
  sourceType: string;
  sourceId: number;
  name: string;
  /** The text shown if no screen shows the document or the user can't open it. */
  children: ReactNode;
}

/** A document's name, linked to the document. */
function DocumentName({ sourceType, sourceId, name, children }: DocumentNameProps) {
  const may = useMay();
  const address = documentAddress(sourceType, sourceId);
  if (address === undefined || !may(address.needs)) return children;
  return (
    <Link className="ek-link" to={address.to}>
      {name}
    </Link>
  );
}

/** Open invoices or bills, and remaining credits. Shows their total, which is the amount owed, or their average age. */
export function OpenDocuments({ ask, of, note, onTransaction }: Extract<Explained, { kind: 'open' }> & Shared) {
  const found = usePages((after) => asked(ledgerCalls.openItems, { body: { ...ask, after: Number(after) } }), nextOf);
  const rows = found.value?.flatMap((page) => page.items) ?? [];
  const [first] = found.value ?? [];
  const isAge = of === 'days';
  const amountOf = (item: OpenItem) => item[isAge ? 'openAmount' : of];
  const shown = sum(rows.map(amountOf));
  const figure = isAge ? first && counted(first.age?.days ?? 0, DAYS) : first?.[of];
  return (
    <Found found={found} note={note} amount={figure}>
      {isAge && first !== undefined && first.age !== null && <AgeWords age={first.age} />}
      {rows.length === 0 ? (
        <p className="ek-muted">No open items.</p>
      ) : (
        <MiniTable<OpenItem>
          label="Open items"
          className="lg-behind"
          columns={[
            {
              header: 'Number',
              className: 'lg-words',
              render: (item) => <ItemName item={item} onTransaction={onTransaction} />,
            },
            isAge
              ? { header: 'Date', render: (item) => <Dated item={item} /> }
              : { header: 'Due Date', render: (item) => <DueDate item={item} /> },
            {
              header: of === 'total' ? 'Amount' : 'Unpaid',
              right: true,
              render: (item) => <Amount value={amountOf(item)} />,
            },
          ]}
          rows={rows}
          keyOf={(item) => `${item.sourceType} ${item.sourceId}`}
          total={{
            label: found.hasMore ? `Total of the first ${rows.length}` : 'Total',
            value: <Amount value={shown} />,
          }}
        />
      )}
    </Found>
  );
}

const DAYS = { one: 'day', many: 'days' };

/** Explains how the average age is calculated. */
function AgeWords({ age: { weight, dollarDays } }: { age: NonNullable<OpenItemsPage['age']> }) {
  return (
    <p className="ek-second ek-small ek-num">
      For each item, its age in days is multiplied by its open balance. The results add up to {formatAmount(dollarDays)}
      , divided by the total open balance of {formatUsd(weight)}. Credits are not counted.
    </p>
  );
}

function ItemName({ item, onTransaction }: { item: OpenItem } & Pick<Shared, 'onTransaction'>) {
  const { sourceType, sourceId, number, entityName } = item;
  const seesLedger = useSeesLedger();
  const name = `${sourceWord(sourceType)} ${number}`.trim();
  return (
    <>
      <DocumentName {...{ sourceType, sourceId, name }}>
        {sourceType === 'journal' && seesLedger ? (
          <button type="button" className="ek-link" onClick={() => onTransaction(sourceId)}>
            {name}
          </button>
        ) : (
          name
        )}
      </DocumentName>
      <div className="ek-muted ek-small">{entityName}</div>
    </>
  );
}

function Dated({ item: { dated, days } }: { item: OpenItem }) {
  return (
    <>
      <DateText value={dated} />
      {days !== null && <div className="ek-muted ek-small ek-num">{counted(days, DAYS)} ago</div>}
    </>
  );
}

function DueDate({ item: { dueDate, dated, daysPastDue } }: { item: OpenItem }) {
  return (
    <>
      <DateText value={dueDate ?? dated} />
      {daysPastDue !== null && <div className="ek-muted ek-small ek-num">{counted(daysPastDue, DAYS)} overdue</div>}
    </>
  );
}
