import { workItemCalls } from '@evenkeel/contract/workitems';
import { formatUsd, sum } from '@evenkeel/core/money';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { ask, inAlert, messageOf, send, useRead, useReads, useStale } from '../../../client/api.ts';
import { CUSTOMERS } from '../../../parts/choices/entities.ts';
import { useLineChoices } from '../../../parts/choices/products.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useDraft } from '../../../ui/hooks/draft.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { DateText } from '../../../ui/show/DateText.tsx';
import { counted } from '../../../ui/show/words.ts';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { byName } from '../../../ui/table/pasted.ts';
import { customersOf, MOST_ROWS, pastedCells, type PastedRow, readRows, rowInput, textOf } from './workItemPaste.ts';
import { WORK_ITEMS } from './workItems.ts';

const PasteForm = z.object({ text: z.string(), account: z.number().nullable() });
type PasteForm = z.output<typeof PasteForm>;
const BLANK: PasteForm = { text: '', account: null };

const TITLE = 'Paste Work Items';
const HINT =
  'Paste one work item per row: customer, item, quantity, rate, date, description. Separate ' +
  'the columns with tabs or commas.';

/**
 * Creates work items from pasted spreadsheet rows. Each invalid row shows the reason and stays until it is corrected.
 */
export function PasteWorkItems({ onClose }: { onClose: () => void }) {
  const { draft, rows, choices } = usePasted();
  const good = rows.filter(({ told }) => told.length === 0);
  const { save, isSaving, refused, failure } = useSaving(draft, rows, onClose);
  const isTooLong = rows.length > MOST_ROWS;
  const lacksAccount = rows.some(({ form }) => form.line.productId === null && form.line.accountId === null);
  return (
    <AppModal
      opened
      title={TITLE}
      size="lg"
      grows
      onClose={onClose}
      dirty={draft.dirty && draft.value.text !== ''}
      onDiscard={() => draft.clear(BLANK)}
      footer={{
        total: <Sums rows={rows} good={good} />,
        error: failure,
        actions: [{ label: 'Cancel', quiet: true, onClick: onClose }],
        primary: {
          label: good.length === 0 ? 'Save' : `Save ${counted(good.length, WORK_ITEM)}`,
          disabled: good.length === 0 || isTooLong,
          busy: isSaving,
          onClick: () => void save(),
        },
      }}
    >
      <div className="ek-form bl-paste">
        <TextField
          label="Rows"
          kind="lines"
          hint={HINT}
          value={draft.value.text}
          onChange={(text) => draft.set({ ...draft.value, text })}
        />
        {(lacksAccount || draft.value.account !== null) && (
          <Picker
            label="Account for Rows Without an Item"
            options={choices.revenue}
            value={draft.value.account}
            onChange={(account) => draft.set({ ...draft.value, account })}
            span={6}
          />
        )}
        {isTooLong && (
          <InlineAlert kind="Warning">
            You can save at most {MOST_ROWS} rows at a time. You pasted {rows.length.toLocaleString('en-US')} rows.
          </InlineAlert>
        )}
        {rows.length > 0 && (
          <div className="bl-paste-rows">
            <MiniTable label="Pasted rows" columns={columnsOf(refused)} rows={rows.slice(0, MOST_ROWS)} keyOf={keyOf} />
          </div>
        )}
      </div>
    </AppModal>
  );
}

const WORK_ITEM = { one: 'Work Item', many: 'Work Items' };
const keyOf = ({ place }: ShownRow): number => place;

interface ShownRow extends PastedRow {
  place: number;
}

/** Parses the pasted rows after their customers have loaded. */
function usePasted() {
  const choices = useLineChoices();
  const today = useToday();
  const draft = useDraft<PasteForm>({
    name: 'pasteworkitems',
    initial: BLANK,
    read: (stored) => {
      const read = PasteForm.safeParse(stored);
      return read.success ? read.data : undefined;
    },
  });
  const { text, account } = draft.value;
  const cells = useMemo(() => pastedCells(text), [text]);
  const customers = useCustomers(useMemo(() => customersOf(cells.slice(0, MOST_ROWS)), [cells]));
  const rows = useMemo(() => {
    if (customers === undefined || choices.isLoadingItems || !choices.isLoaded) return [];
    return readRows(cells, { ...choices, customers }, { today, account }).map((row, place) => ({ ...row, place }));
  }, [cells, customers, choices, today, account]);
  return { draft, rows, choices };
}

/**
 * Returns customer IDs by name. If the customer list is long, only the names in the rows are looked up. Undefined while
 * loading.
 */
function useCustomers(names: readonly string[]) {
  const first = useRead(CUSTOMERS.choose({}), inAlert(CUSTOMERS.loadAll)).value;
  const isAsked = first?.hasMore === true;
  const found = useReads(isAsked ? names.map((q) => CUSTOMERS.choose({ q })) : []);
  return useMemo(() => {
    if (first === undefined || found.some((reply) => reply === undefined)) return undefined;
    const items = [first, ...found].flatMap((reply) => reply?.items ?? []);
    return byName(items.map(({ id, displayname }) => [id, [displayname]]));
  }, [first, found]);
}

/** Saves the valid rows. Invalid rows, and rows that the server rejects, remain as text and show the reason. */
function useSaving(draft: ReturnType<typeof usePasted>['draft'], rows: readonly ShownRow[], onClose: () => void) {
  const stale = useStale();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const save = async () => {
    const sent = rows.filter(({ told }) => told.length === 0);
    setSaving(true);
    setFailure(undefined);
    try {
      const answers = await send(ask(workItemCalls.createWorkItems, { body: sent.map(rowInput) }));
      const saved = new Set(sent.filter((_, at) => answers[at]?.record !== undefined).map(keyOf));
      const why = sent.flatMap((row, at): [string, string][] => {
        const error = answers[at]?.error;
        return error === undefined ? [] : [[textOf([row.cells]), error.message]];
      });
      setRefused(new Map(why));
      const left = rows.filter(({ place }) => !saved.has(place));
      if (saved.size > 0) alerts.success(`${counted(saved.size, WORK_ITEMS.words)} saved`);
      stale();
      if (left.length > 0) draft.set({ ...draft.value, text: textOf(left.map(({ cells }) => cells)) });
      else {
        draft.clear(BLANK);
        onClose();
      }
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setSaving(false);
    }
  };
  return { save, isSaving, refused, failure };
}

const columnsOf = (refused: ReadonlyMap<string, string>): readonly MiniColumn<ShownRow>[] => [
  { header: 'Row', render: ({ place }) => place + 1, right: true },
  { header: 'Customer', render: ({ cells }) => cells.customer },
  { header: 'Work Item', render: ({ form, cells }) => form.line.description || cells.item },
  { header: 'Date', render: ({ form }) => <DateText value={form.line.serviceDate} /> },
  { header: 'Quantity', render: ({ form }) => form.line.quantity, right: true },
  { header: 'Price', render: ({ form }) => <Amount value={form.line.price} />, right: true },
  {
    header: 'Amount',
    render: (row) =>
      row.told.length === 0 && !refused.has(textOf([row.cells])) ? (
        <Amount value={row.amount} />
      ) : (
        <span className="ek-bad">{[...row.told, refused.get(textOf([row.cells])) ?? ''].join(' ').trim()}</span>
      ),
    right: true,
  },
];

function Sums({ rows, good }: { rows: readonly PastedRow[]; good: readonly PastedRow[] }) {
  if (rows.length === 0) return null;
  const wrong = rows.length - good.length;
  return (
    <dl className="dc-sums">
      <div>
        <dt>
          {counted(rows.length, ROWS)}
          {wrong > 0 && `, ${wrong.toLocaleString('en-US')} with errors`}
        </dt>
        <dd>{formatUsd(sum(good.map(({ amount }) => amount)))}</dd>
      </div>
    </dl>
  );
}

const ROWS = { one: 'row', many: 'rows' };
