import type { Cents } from '@evenkeel/core/money';
import { type ComponentType, useCallback, useMemo, useRef } from 'react';
import { useMay } from '../../../client/session.ts';
import { ListScreen } from '../../../records/ListScreen.tsx';
import { useAddressText } from '../../../records/openRecord.ts';
import { useList } from '../../../records/records.ts';
import { usePlace } from '../../../records/place.ts';
import type { Scheduled } from '../entry/scheduledTab.ts';
import { DropArea } from '../../../ui/fields/FileDrop.tsx';
import { useWide } from '../../../ui/hooks/media.ts';
import type { Column } from '../../../ui/table/columns.ts';
import type { DocumentEntryProps } from '../entry/DocumentEntry.tsx';
import type { DocumentPanelProps } from '../panel/DocumentPanel.tsx';
import {
  columnsBeside,
  type DocumentRow,
  documentRowId,
  firstColumns,
  type PhoneRowOptions,
  phoneRowOf,
  type RowLinks,
} from './documentColumns.tsx';
import { DocumentForms, panelOf } from '../panel/OpenDocument.tsx';
import { OutstandingDrawer, sumsNote, unsoldIn, withOutstanding } from './Outstanding.tsx';
import { PaymentChips, PaymentList } from './PaymentList.tsx';
import { type DocumentRecords, type DocumentSide, nounOf } from '../side.ts';
import { type DocumentPlace, useDocumentPlace } from '../useDocumentPlace.ts';
import { usePaySeveral } from '../payment/usePaySeveral.tsx';
import { type ListPart, PartChips, useListPart } from './listParts.tsx';

export interface DocumentScreenProps<Row, One> {
  title: string;
  side: DocumentSide;
  kind: Pick<DocumentRecords<Row, never, never>, 'list' | 'part' | 'words'>;
  /** The filters for the open documents. */
  parts: readonly ListPart[];
  canPay: (row: Row) => boolean;
  /** The columns after the number and the customer or vendor. */
  columns: readonly Column<Row>[];
  /** The two lines of text in a row on a phone. */
  phone: Pick<PhoneRowOptions<Row>, 'amount' | 'detail'>;
  /** The label of the Add button, and the hint in an empty list. */
  add: string;
  hint: string;
  Panel: ComponentType<DocumentPanelProps>;
  Entry: ComponentType<DocumentEntryProps<One>>;
  /** Whether dropping a file on the screen opens a new document with that file attached. */
  takesFiles?: boolean;
  /** The Scheduled tab. */
  scheduled: Scheduled;
}

const TABS = [
  { value: 'open', label: 'Open' },
  { value: 'paid', label: 'Paid' },
  { value: 'all', label: 'All' },
  { value: 'payments', label: 'Payments' },
  { value: 'scheduled', label: 'Scheduled' },
] as const;
type Tab = (typeof TABS)[number]['value'];

const SEARCH: Partial<Record<Tab, string>> = { payments: 'Search Payments...', scheduled: 'Search Scheduled...' };

/**
 * The screen for a document type: tabs for open, paid, and all documents and for payments. The list of open documents
 * shows totals, and the selected document's panel opens next to the list. The form and the payment dialog open on top
 * of the screen.
 */
export function DocumentScreen<
  Row extends DocumentRow & { openAmount: Cents; dueDate: string | null },
  One extends { id: number },
>(props: DocumentScreenProps<Row, One>) {
  const { title, side, kind, canPay, columns: own, phone, add, hint, scheduled } = props;
  const manages = useMay()(side.manage);
  const place = useDocumentPlace();
  const { invoice, openPay } = place;
  const [filter] = useAddressText('q');
  const [tab, setTab] = useTab();
  const { part, isAll } = useListPart(props.parts);
  const isOpen = tab === 'open';
  const isOther = tab === 'payments' || tab === 'scheduled';
  const status = isOpen ? part : isOther ? 'open' : tab;
  const read = useList({ list: kind.part(status), words: kind.words });
  const isWhole = filter === '' && isOpen && isAll;
  const links = useMemo(
    (): RowLinks<Row> => ({ invoice, onPay: manages ? ({ id }) => openPay({ kind: 'invoice', id }) : undefined }),
    [invoice, manages, openPay],
  );
  const whole = useMemo(
    () => withOutstanding([...firstColumns(side, links, canPay), ...own], isWhole),
    [side, links, canPay, own, isWhole],
  );
  const isBeside = useWide() && (invoice.id ?? place.payment.id) !== undefined;
  const columns = useMemo(() => (isBeside ? columnsBeside(whole) : whole), [isBeside, whole]);
  const selection = usePaySeveral<Row>({
    rows: read.value,
    side,
    columns,
    filter,
    canPay,
    rowId: documentRowId,
    openPay: manages ? openPay : undefined,
  });
  const drop = useDropped(place);
  const list = (
    <ListScreen<Row, Tab>
      {...{ title, read, columns, hint }}
      inFiles={whole}
      selection={isOpen ? selection : undefined}
      label={isOpen && isAll ? title : `${title}, ${isOpen ? part : tab}`}
      words={{ one: nounOf(side), many: `${nounOf(side)}s` }}
      rowId={documentRowId}
      tabs={{ tabs: TABS, value: tab, onChange: setTab }}
      chips={
        isOpen ? (
          <PartChips kind={kind} parts={props.parts} />
        ) : tab === 'payments' ? (
          <PaymentChips side={side} />
        ) : undefined
      }
      sort="invoiceNumber"
      search={SEARCH[tab] ?? 'Search Invoices...'}
      note={isOpen ? sumsNote({ side, whole: read.sums, isWhole, isSearched: filter !== '' }) : unsoldIn}
      instead={
        tab === 'payments' ? (
          <PaymentList side={side} payment={place.payment} filter={filter} onEscape={place.closePanel} />
        ) : tab === 'scheduled' ? (
          scheduled.list(filter)
        ) : undefined
      }
      add={
        tab === 'scheduled' ? scheduled.add : manages ? { label: add, onClick: () => place.edit.open(0) } : undefined
      }
      onOpen={(row) => invoice.open(row.id)}
      onEscape={place.closePanel}
      selectedId={invoice.id === undefined ? undefined : String(invoice.id)}
      phoneRow={phoneRowOf({ side, ...phone, ...links, canPay })}
      panel={tab === 'scheduled' ? scheduled.panel : panelOf(place, side, props.Panel)}
    >
      <DocumentForms side={side} place={place} Entry={props.Entry} takeFiles={drop.take} />
      {scheduled.form}
      <OutstandingDrawer side={side} />
    </ListScreen>
  );
  if (props.takesFiles !== true) return list;
  return (
    <DropArea fills onFiles={drop.begin} disabled={!manages}>
      {list}
    </DropArea>
  );
}

/** Opens a new document with the dropped files. */
function useDropped({ edit }: DocumentPlace) {
  const dropped = useRef<File[]>([]);
  const take = useCallback(() => dropped.current.splice(0), []);
  const begin = (files: File[]) => {
    dropped.current = files;
    edit.open(0);
  };
  return { take, begin };
}

/** Returns the tab in the URL. Changing the tab resets the search, sort order, and filter. */
function useTab(): [Tab, (tab: Tab) => void] {
  const { query, go } = usePlace();
  const named = TABS.find(({ value }) => value === query.get('tab'))?.value;
  // A selected schedule opens next to the Scheduled list.
  const tab = named ?? (query.has('scheduled') || query.has('template') ? 'scheduled' : 'open');
  const choose = (next: Tab) =>
    go({
      tab: next === 'open' ? undefined : next,
      scheduled: undefined,
      part: undefined,
      q: undefined,
      sort: undefined,
    });
  return [tab, choose];
}
