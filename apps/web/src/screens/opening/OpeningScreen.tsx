import './opening.css';
import { openingCalls, type OpeningBalances } from '@evenkeel/contract/opening';
import { OPENING_BALANCE_EQUITY } from '@evenkeel/core/books/accounts';
import { addDays, fiscalYearStart, formatDate } from '@evenkeel/core/dates';
import { cents, formatAmount, negate } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { ask, useRead } from '../../client/api.ts';
import { useBooksSettings } from '../../parts/choices/booksSettings.ts';
import { inChartOrder } from '../../parts/ledger/chart.ts';
import { useChart } from '../../parts/ledger/queries.ts';
import { useCloseSubPage } from '../../records/place.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Key } from '../../ui/keys/Key.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { counted } from '../../ui/show/words.ts';
import { Status } from '../../ui/show/Status.tsx';
import { ChartGrid, ChartList } from './ChartGrid.tsx';
import { DocumentGrid } from './DocumentGrid.tsx';
import { DocumentList } from './DocumentList.tsx';
import { type Figures, figuresOf, type Grid, GRIDS, rowsOf, rowsToFix } from './openingForm.ts';
import { type Opening, useOpening } from './useOpening.ts';

/** The opening balances: the chart of accounts with debits and credits, and the open documents one by one. */
export function OpeningScreen() {
  const read = useRead(ask(openingCalls.getOpeningBalances, {}), {
    isFresh: true,
    alert: 'Error Loading Opening Balances',
  });
  const chart = useChart(false);
  const close = useCloseSubPage('/settings');
  if (read.value === undefined || chart.value === undefined) {
    const error = read.error ?? chart.error;
    return (
      <Page title="Opening Balances" onClose={close} scroll>
        {error === undefined ? (
          <p className="ek-page-pad" role="status">
            Loading...
          </p>
        ) : (
          <ErrorState message={error} onRetry={() => void Promise.all([read.retry(), chart.retry()])} />
        )}
      </Page>
    );
  }
  return (
    <Balances key={read.value.rowVersion} posted={read.value} accounts={inChartOrder(chart.value)} onClose={close} />
  );
}

interface BalancesProps {
  posted: OpeningBalances;
  accounts: Parameters<typeof useOpening>[0]['accounts'];
  onClose: () => void;
}

function Balances({ posted, accounts, onClose }: BalancesProps) {
  const today = useToday();
  const { fyStartMonth } = useBooksSettings();
  const start = addDays(fiscalYearStart(today, fyStartMonth), -1);
  const opening = useOpening({ posted, accounts, start });
  const [grid, setGrid] = useState<Grid>('invoices');
  const narrow = useNarrow();
  const { form, isLocked } = opening;
  const figures = figuresOf(form);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!isKey(event, 'save') || event.shiftKey || event.defaultPrevented) return;
    event.preventDefault();
    opening.post();
  };
  return (
    <div className="ob-page" role="presentation" onKeyDown={onKeyDown}>
      <Page
        title="Opening Balances"
        onClose={onClose}
        aside={narrow ? undefined : <Actions opening={opening} grid={grid} />}
      >
        <Locked posted={posted} opening={opening} />
        <div className="ob-middle">
          <section className="ob-chart" aria-label="Chart of accounts">
            <div className="ob-head">
              <h2>Chart of accounts</h2>
              <span className="ek-muted ek-small ob-asof">As of</span>
              <div className="ob-date">
                <DateField
                  label="As of"
                  inRow
                  value={form.date}
                  onChange={(date) => opening.change((before) => ({ ...before, date }))}
                  readOnly={isLocked}
                  error={opening.faults['date']}
                />
              </div>
            </div>
            {narrow ? (
              <ChartList opening={opening} figures={figures} />
            ) : (
              <ChartGrid opening={opening} figures={figures} />
            )}
          </section>
          <section className="ob-documents" aria-label="Open documents">
            <div className="ob-head">
              <GridSwitch opening={opening} value={grid} onChange={setGrid} />
              {!narrow && !isLocked && (
                <span className="ek-muted ek-small ob-paste">
                  Paste rows from a spreadsheet <Key keys="Mod+V" />
                </span>
              )}
            </div>
            {narrow ? (
              <DocumentList key={grid} opening={opening} grid={grid} />
            ) : (
              <DocumentGrid key={grid} opening={opening} grid={grid} />
            )}
          </section>
        </div>
        <Bar opening={opening} figures={figures} isNarrow={narrow} />
      </Page>
    </div>
  );
}

const GRID_LABELS: Readonly<Record<Grid, string>> = {
  invoices: 'Open Invoices',
  bills: 'Open Bills',
  credits: 'Credits',
};

function GridSwitch({ opening, value, onChange }: { opening: Opening; value: Grid; onChange: (grid: Grid) => void }) {
  return (
    <div className="ob-switch" role="group" aria-label="Documents">
      {GRIDS.map((grid) => (
        <button key={grid} type="button" aria-pressed={grid === value} onClick={() => onChange(grid)}>
          {GRID_LABELS[grid]} <span className="ek-muted ek-num">{rowsOf(opening.form, grid).length}</span>
        </button>
      ))}
    </div>
  );
}

function Actions({ opening, grid }: { opening: Opening; grid: Grid }) {
  const input = useRef<HTMLInputElement>(null);
  if (opening.isLocked)
    return opening.redo === undefined ? null : <Button onClick={opening.redo}>Redo Opening Balances</Button>;
  return (
    <div className="ob-actions">
      <Button variant="default" leftSection={<IconFileImport {...ICON_SMALL} />} onClick={() => input.current?.click()}>
        Import CSV
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) void file.text().then((text) => opening.paste(grid, { cell: 'party', text }));
        }}
      />
      <PostButton opening={opening} />
    </div>
  );
}

function PostButton({ opening }: { opening: Opening }) {
  return (
    <Button onClick={opening.post} disabled={!opening.canPost} loading={opening.isBusy}>
      Post Opening Balances
    </Button>
  );
}

/** The state of posted balances, and the message about a failed attempt. */
function Locked({ posted, opening }: { posted: OpeningBalances; opening: Opening }) {
  const { postedBy, postedAt, closedThrough } = posted;
  const told =
    closedThrough === null
      ? 'To change an account or a document, redo the opening balances'
      : `The books are closed through ${formatDate(closedThrough)}, so you can't change the opening balances`;
  return (
    <>
      {opening.isLocked && postedAt !== null && (
        <p className="ob-note ek-muted ek-small">{`Posted by ${postedBy ?? ''}. ${told}.`}</p>
      )}
      {opening.problem !== undefined && (
        <p className="ob-note ob-problem" role="alert">
          {opening.problem}
        </p>
      )}
    </>
  );
}

/** The bar at the bottom: debits, credits, aging, and the amount that remains in opening balance equity. */
function Bar({ opening, figures, isNarrow }: { opening: Opening; figures: Figures; isNarrow: boolean }) {
  const { form, isLocked } = opening;
  const count = rowsToFix(form);
  const rest = cents(figures.equity - figures.stated);
  const isEven = rest === 0;
  return (
    <div className="ob-bar" role="status" aria-label="Totals">
      <Sum label="Debits">
        <Amount value={figures.debits} />
      </Sum>
      <Sum label="Credits">
        <Amount value={figures.credits} />
      </Sum>
      {!isNarrow && form.date !== null && (
        <Sum label={`Aging as of ${formatDate(form.date)}`}>
          <span className="ob-aging">{agingWords(figures)}</span>
        </Sum>
      )}
      <span className="ob-space" />
      <Sum label={`${OPENING_BALANCE_EQUITY} Opening Balance Equity`} isRight>
        <span className={isEven ? 'ob-even' : 'ob-uneven'}>
          <Amount value={negate(figures.equity)} />
        </span>
        {!isEven && (
          <span className="ob-uneven ek-small">Add {formatAmount(cents(Math.abs(rest)))} to an equity account</span>
        )}
      </Sum>
      {count > 0 && <Status look="low">{`${counted(count, { one: 'row', many: 'rows' })} to fix`}</Status>}
      {isNarrow && !isLocked && <PostButton opening={opening} />}
      {isNarrow && isLocked && opening.redo !== undefined && (
        <Button onClick={opening.redo}>Redo Opening Balances</Button>
      )}
    </div>
  );
}

function Sum({ label, isRight, children }: { label: string; isRight?: boolean; children: ReactNode }) {
  return (
    <div className="ob-sum" data-right={isRight === true ? '' : undefined}>
      <span className="ek-muted ek-small">{label}</span>
      <b className="ek-num">{children}</b>
    </div>
  );
}

/** Returns text such as "15,119.70 current · 3,826.50 1–30 days past due". */
function agingWords({ aging }: Figures): string {
  const parts = [
    `${formatAmount(aging.current)} current`,
    ...[[aging.days30, '1–30'] as const, [aging.days60, '31–60'] as const, [aging.older, 'over 60'] as const].flatMap(
      ([amount, days]) => (amount === 0 ? [] : [`${formatAmount(amount)} ${days} days past due`]),
    ),
  ];
  return parts.join(' · ');
}
