import './budgets.css';
import type { Budget } from '@evenkeel/contract/budgets';
import { budgetYearName } from '@evenkeel/core/books/budgets';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { PERIODS } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconChartBar, IconDeviceFloppy, IconUpload } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead } from '../../../client/api.ts';
import { useMay } from '../../../client/session.ts';
import { useBooksSettings } from '../../../parts/choices/booksSettings.ts';
import { useDimensions } from '../../../parts/choices/dimensions.ts';
import { idInAddress } from '../../../records/openRecord.ts';
import { useCloseSubPage, usePlace } from '../../../records/place.ts';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { useNarrow } from '../../../ui/hooks/media.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { Key } from '../../../ui/keys/Key.tsx';
import { isKey, KEYS } from '../../../ui/keys/keys.ts';
import { Page } from '../../../ui/page/Page.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { counted } from '../../../ui/show/words.ts';
import { BudgetCards } from './BudgetCards.tsx';
import { CopyDialog, PercentDialog } from './BudgetDialogs.tsx';
import { BudgetGrid } from './BudgetGrid.tsx';
import { fillRange, pasteInto, type Range, rangeWords, reportDateOf } from './budgetGrid.ts';
import { type Asked, budgetAsk, type BudgetEdits, useBudgetEdits } from './useBudget.ts';

/** The profit center choices in addition to the company's profit centers. */
const ALL = -1;
const UNASSIGNED = 0;

/** Returns the budget in the URL: `?year=2026&center=3`. */
function useAsked(): Asked {
  const { query } = usePlace();
  const { profitCenters } = useDimensions();
  const year = /^\d{4}$/.test(query.get('year') ?? '') ? Number(query.get('year')) : undefined;
  const center = query.get('center');
  return { year, profitCenterId: center === null || profitCenters === undefined ? null : idInAddress(center, true) };
}

/** /budgets: a fiscal year's budget by account, month, and profit center. */
export function BudgetsScreen() {
  const asked = useAsked();
  const read = useRead(budgetAsk(asked), { alert: 'Error Loading Budget' });
  const { value: budget } = read;
  const { isAnswered } = useDimensions();
  const onClose = useCloseSubPage('/accounting');
  // The profit center field would move the amounts if the field appeared later.
  if (budget === undefined || !isAnswered) {
    return (
      <Page title="Budgets" onClose={onClose}>
        {read.error === undefined ? (
          <p className="ek-page-pad" role="status">
            Loading...
          </p>
        ) : (
          <ErrorState message={read.error} onRetry={read.retry} />
        )}
      </Page>
    );
  }
  return <Loaded key={`${budget.year} ${budget.profitCenterId ?? 'all'}`} {...{ budget, asked, onClose }} />;
}

const START = { row: 0, column: 0 };

type Dialog = 'copy' | 'percent';

function Loaded({ budget, asked, onClose }: { budget: Budget; asked: Asked; onClose: () => void }) {
  const work = useBudgetEdits(budget, asked);
  const canEdit = useMay()('Manage Accounting');
  const narrow = useNarrow();
  const [range, setRange] = useState<Range>({ anchor: START, head: START });
  const [dialog, setDialog] = useState<Dialog>();
  const openReport = useOpenReport(budget);
  useSaveKey(work);
  const dialogs = { budget, edits: work.edits, onChange: work.change, onClose: () => setDialog(undefined) };
  return (
    <Page
      title="Budgets"
      onClose={onClose}
      meta={work.count > 0 ? counted(work.count, { one: 'unsaved month', many: 'unsaved months' }) : undefined}
      secondary={[
        ...(work.count > 0 ? [{ label: 'Discard Changes', onClick: work.discard, icon: null }] : []),
        { label: reportKinds.budgetAgainstActual.title, onClick: openReport, icon: <IconChartBar {...ICON_SMALL} /> },
      ]}
      primary={
        canEdit && (!narrow || work.count > 0)
          ? {
              label: 'Save Budget',
              onClick: () => void work.save(),
              disabled: work.count === 0 || work.busy,
              icon: narrow ? <IconDeviceFloppy {...ICON_SMALL} /> : null,
            }
          : undefined
      }
    >
      <div className="bg-page">
        <Toolbar
          budget={budget}
          canEdit={canEdit && budget.rows.length > 0}
          onDialog={setDialog}
          work={work}
          range={range}
        />
        <Messages work={work} />
        {narrow ? (
          <BudgetCards budget={budget} edits={work.edits} canEdit={canEdit} onChange={work.change} />
        ) : (
          <>
            <BudgetGrid
              budget={budget}
              edits={work.edits}
              canEdit={canEdit}
              range={range}
              onRange={setRange}
              onChange={work.change}
              onPaste={work.paste}
              onUndo={work.undo}
            />
            <Foot {...{ budget, work, range, canEdit }} />
          </>
        )}
      </div>
      {dialog === 'copy' && <CopyDialog {...dialogs} />}
      {dialog === 'percent' && <PercentDialog {...dialogs} range={range} />}
    </Page>
  );
}

/** Ctrl+S saves from anywhere on the screen, except while a dialog is open. */
function useSaveKey(work: BudgetEdits): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isKey(event, 'saveAll')) return;
    // Prevents the browser from offering to save the page, even while a cell is being edited.
    event.preventDefault();
    if (document.querySelector('.ek-modal') === null) void work.save();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** Returns a function that opens the Budget Against Actual report for the budget's year. */
function useOpenReport({ months, profitCenterId }: Budget): () => void {
  const navigate = useNavigate();
  const today = useToday();
  const { basis } = useBooksSettings();
  return () => {
    const { id } = reportKinds.budgetAgainstActual;
    const date = reportDateOf(months, today);
    const parts = [id, PERIODS.indexOf('Custom'), date, date, basis, profitCenterId ?? 0, 0];
    void navigate(`/reports?report=${parts.join('_')}`);
  };
}

interface ToolbarProps {
  budget: Budget;
  canEdit: boolean;
  onDialog: (dialog: Dialog) => void;
  work: BudgetEdits;
  range: Range;
}

function Toolbar({ budget, canEdit, onDialog, work, range }: ToolbarProps) {
  const { go } = usePlace();
  const { fyStartMonth } = useBooksSettings();
  const { profitCenters } = useDimensions();
  const narrow = useNarrow();
  const near = [1, 0, -1].map((by) => budget.year + by);
  const years = [...new Set([...near, ...budget.years.map(({ year }) => year)])].toSorted((a, b) => b - a);
  return (
    <div className="ek-filter-row bg-toolbar">
      <div className="bg-pick">
        <Picker
          label="Budget"
          inRow
          options={years.map((id) => ({ id, label: `${budgetYearName(id, fyStartMonth)} Budget` }))}
          value={budget.year}
          onChange={(year) => (year === null ? undefined : go({ year }))}
        />
      </div>
      {profitCenters !== undefined && (
        <div className="bg-pick">
          <Picker
            label="Profit Center"
            inRow
            options={[
              { id: ALL, label: 'All profit centers' },
              { id: UNASSIGNED, label: 'No profit center' },
              ...profitCenters.map(({ id, label }) => ({ id, label })),
            ]}
            value={budget.profitCenterId ?? ALL}
            onChange={(id) => go({ center: id === null || id === ALL ? undefined : id })}
          />
        </div>
      )}
      {canEdit && (
        <div className="bg-acts">
          <Button variant="default" size="compact-md" onClick={() => onDialog('copy')}>
            Copy From Actuals
          </Button>
          {!narrow && (
            <>
              <Button variant="default" size="compact-md" onClick={() => onDialog('percent')}>
                Change by Percent
              </Button>
              <ImportButton onText={(text) => work.paste(pasteInto(budget, range, text, { isFile: true }))} />
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** Reads a CSV file with a row for each account and a column for each month. */
function ImportButton({ onText }: { onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconUpload {...ICON_SMALL} />}
        onClick={() => input.current?.click()}
      >
        Import CSV
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="CSV file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) void file.text().then((text) => onText(text.replace(/^\ufeff/, '')));
        }}
      />
    </>
  );
}

const MOST_TOLD = 5;

/** The messages about pasted text that was not applied, and about the months that another user has changed. */
function Messages({ work }: { work: BudgetEdits }) {
  const { told, conflicts } = work;
  if (told.length === 0 && conflicts.length === 0) return null;
  return (
    <div className="bg-messages">
      {conflicts.length > 0 && (
        <InlineAlert
          kind="Warning"
          action={{ label: 'Use Their Amounts', run: work.takeTheirs }}
          onClose={work.closeConflicts}
        >
          <p>
            Your changes were not saved because another user has changed some of the same months. Save again to replace
            these amounts with yours:
          </p>
          <Sentences of={conflicts.map(({ words }) => words)} />
        </InlineAlert>
      )}
      {told.length > 0 && (
        <InlineAlert kind="Warning" onClose={work.clearTold}>
          <p>Some cells were not pasted:</p>
          <Sentences of={told} />
        </InlineAlert>
      )}
    </div>
  );
}

function Sentences({ of }: { of: readonly string[] }) {
  return (
    <ul>
      {of.slice(0, MOST_TOLD).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {of.length > MOST_TOLD && <li>{`${of.length - MOST_TOLD} more`}</li>}
    </ul>
  );
}

interface FootProps {
  budget: Budget;
  work: BudgetEdits;
  range: Range;
  canEdit: boolean;
}

/** A description of the selected cells, and the grid's keyboard shortcuts as buttons. */
function Foot({ budget, work, range, canEdit }: FootProps) {
  const paste = async () => {
    // The browser asks the user for permission first, and some browsers never allow the page to read the clipboard.
    const text = await navigator.clipboard.readText().catch(() => undefined);
    if (text === undefined) return work.paste({ changes: [], told: ['Select a cell and press Ctrl+V to paste rows.'] });
    return work.paste(pasteInto(budget, range, text));
  };
  return (
    <div className="bg-foot">
      <span className="ek-num" role="status">
        {rangeWords(budget, work.edits, range)}
      </span>
      {canEdit && (
        <span className="bg-hints">
          <Hint keys={KEYS.paste[0]} onClick={() => void paste()}>
            paste rows
          </Hint>
          <Hint keys={KEYS.fillDown[0]} onClick={() => work.change(fillRange(budget, work.edits, range))}>
            fill
          </Hint>
          <Hint keys={KEYS.undo[0]} onClick={work.undo}>
            undo
          </Hint>
          <Hint keys={KEYS.saveAll[0]} onClick={() => void work.save()}>
            save
          </Hint>
        </span>
      )}
    </div>
  );
}

function Hint({ keys, onClick, children }: { keys: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="bg-hint" onClick={onClick}>
      <Key keys={keys} /> {children}
    </button>
  );
}
