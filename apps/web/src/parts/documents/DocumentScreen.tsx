import type { Cents } from '@evenkeel/core/money';
import { type ComponentType, useMemo } from 'react';
import { useMay } from '../../client/session.ts';
import { ListScreen } from '../../records/ListScreen.tsx';
import { useAddressText } from '../../records/openRecord.ts';
import { type RecordsSpec, useList } from '../../records/records.ts';
import type { Column } from '../../ui/table/columns.ts';
import type { DocumentEntryProps } from './DocumentEntry.tsx';
import type { DocumentPanelProps } from './DocumentPanel.tsx';
import {
  type DocumentRow,
  documentRowId,
  firstColumns,
  type PhoneRowOptions,
  phoneRowOf,
  type RowLinks,
} from './documentColumns.tsx';
import { DocumentForms, panelOf } from './OpenDocument.tsx';
import { OutstandingDrawer, sumsNote, withOutstanding } from './Outstanding.tsx';
import type { DocumentSide } from './side.ts';
import { useDocumentPlace } from './useDocumentPlace.ts';

export interface DocumentScreenProps<Row, One> {
  title: string;
  side: DocumentSide;
  kind: Pick<RecordsSpec<Row, never, never>, 'list' | 'words'>;
  canPay: (row: Row) => boolean;
  /** After number and customer or vendor. */
  columns: readonly Column<Row>[];
  /** Its two lines on a phone. */
  phone: Pick<PhoneRowOptions<Row>, 'amount' | 'detail'>;
  /** The label of its button, and what to do while there is none. */
  add: string;
  hint: string;
  Panel: ComponentType<DocumentPanelProps>;
  Entry: ComponentType<DocumentEntryProps<One>>;
}

/** The open documents of a kind beside the panel of one, with what they come to; over them form and payment. */
export function DocumentScreen<Row extends DocumentRow & { openAmount: Cents }, One extends { id: number }>(
  props: DocumentScreenProps<Row, One>,
) {
  const { title, side, kind, canPay, columns: own, phone, add, hint } = props;
  const manages = useMay()(side.manage);
  const place = useDocumentPlace();
  const { invoice, openPay } = place;
  const [filter] = useAddressText('q');
  const isWhole = filter === '';
  const links = useMemo(
    (): RowLinks<Row> => ({ invoice, onPay: manages ? ({ id }) => openPay({ kind: 'invoice', id }) : undefined }),
    [invoice, manages, openPay],
  );
  const read = useList(kind);
  const columns = useMemo(
    () => withOutstanding([...firstColumns(side, links, canPay), ...own], isWhole),
    [side, links, canPay, own, isWhole],
  );
  return (
    <ListScreen<Row>
      {...{ title, read, columns, hint }}
      words={kind.words}
      rowId={documentRowId}
      sort="invoiceNumber"
      search="Search Invoices..."
      note={sumsNote({ side, whole: read.sums, isWhole })}
      add={manages ? { label: add, onClick: () => place.edit.open(0) } : undefined}
      onOpen={(row) => invoice.open(row.id)}
      onEscape={place.closePanel}
      selectedId={invoice.id === undefined ? undefined : String(invoice.id)}
      phoneRow={phoneRowOf({ ...phone, ...links, canPay })}
      panel={panelOf(place, side, props.Panel)}
    >
      <DocumentForms side={side} place={place} Entry={props.Entry} />
      <OutstandingDrawer side={side} />
    </ListScreen>
  );
}
