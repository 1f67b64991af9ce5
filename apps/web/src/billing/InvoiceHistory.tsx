import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { addDays, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ICON_SMALL } from '../ui/show/icons.ts';
import { DataTable } from '../ui/table/DataTable.tsx';
import { historyColumns, invoicePhoneRow, invoiceRowId } from './invoiceColumns.tsx';
import type { InvoiceListProps } from './OpenInvoices.tsx';
import { useInvoiceHistory } from './queries.ts';
import { useSettled } from './useSettled.ts';

/** Specification part 1 §9: a window of 30 days, requests debounced by 200 ms. */
const WINDOW_DAYS = 30;
const DEBOUNCE_MS = 200;

export interface HistoryWindowProps {
  /** The window's last day; it begins 30 days before. */
  to: IsoDate;
  onMove: (to: IsoDate) => void;
}

/** Prev and Next move the window by its 30 days. */
export function HistoryWindow({ to, onMove }: HistoryWindowProps) {
  return (
    <div className="bl-window">
      <Button
        variant="default"
        leftSection={<IconChevronLeft {...ICON_SMALL} />}
        onClick={() => onMove(addDays(to, -WINDOW_DAYS))}
      >
        Prev
      </Button>
      <span className="ek-num ek-medium" role="status">
        {formatDate(addDays(to, -WINDOW_DAYS))} – {formatDate(to)}
      </span>
      <Button
        variant="default"
        rightSection={<IconChevronRight {...ICON_SMALL} />}
        onClick={() => onMove(addDays(to, WINDOW_DAYS))}
      >
        Next
      </Button>
    </div>
  );
}

const counted = (rows: number): string => `${rows} ${rows === 1 ? 'invoice' : 'invoices'}`;
const NEWEST_FIRST = { id: 'invoiceDate', desc: true };

/** Every invoice dated in the window, paid ones too. */
export function InvoiceHistory({ to, actions, selectedId, onEscape }: InvoiceListProps & { to: IsoDate }) {
  const last = useSettled(to, DEBOUNCE_MS);
  const { rows, error, retry } = useInvoiceHistory(addDays(last, -WINDOW_DAYS), last);
  const columns = useMemo(() => historyColumns(actions), [actions]);
  return (
    <DataTable<BillingInvoiceRow>
      label="Invoice History"
      columns={columns}
      rows={rows}
      rowId={invoiceRowId}
      defaultSort={NEWEST_FIRST}
      error={error}
      onRetry={retry}
      empty={{ title: 'No invoices in these 30 days', hint: 'Prev and Next show other days.' }}
      onOpen={actions.onOpen}
      onEscape={onEscape}
      selectedId={selectedId}
      count={counted}
      phoneRow={invoicePhoneRow({})}
    />
  );
}
