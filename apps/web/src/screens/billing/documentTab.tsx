import type { BillingInvoiceRow } from '@evenkeel/contract/billing';
import { documentKinds } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import type { ComponentType } from 'react';
import { nothingBeside, useBeside } from '../../parts/documents/beside.ts';
import type { DocumentEntryProps } from '../../parts/documents/entry/DocumentEntry.tsx';
import type { DocumentPanelProps } from '../../parts/documents/panel/DocumentPanel.tsx';
import { type DocumentRecords, titled } from '../../parts/documents/side.ts';
import { type OpenRecord, useAddressChoice, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useList } from '../../records/records.ts';
import { Chips } from '../../ui/page/Chips.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { SentList } from './sending/SentList.tsx';
import type { BillingTab, ListPlace } from './tab.ts';

/** Called when a form for this kind of document closes. */
export interface FormEnds {
  onSaved: (one: { id: number }) => void;
  onDeleted: () => void;
}

/**
 * A kind of document that customers receive, with its panel and its forms in Billing. Everything that is not defined
 * here is derived from the kind.
 */
interface DocumentPart<Row, One extends { id: number }> {
  kind: DocumentKind & Required<Pick<DocumentKind, 'mail' | 'screen'>>;
  /** The name of the tab in the URL. */
  value: string;
  records: Pick<DocumentRecords<Row, never, never>, 'part' | 'words'>;
  panel: ComponentType<DocumentPanelProps>;
  entry: ComponentType<DocumentEntryProps<One>>;
  /** The name of the kind's form in the URL. */
  edit: string;
  /** Other forms, and the names of the forms that close when a document is saved. */
  forms?: { Forms: ComponentType<FormEnds>; closes: readonly string[] };
}

/** A kind of document that also has its own tab and list. */
interface DocumentTab<Row extends BillingInvoiceRow, One extends { id: number }> extends DocumentPart<Row, One> {
  columns: (record: OpenRecord) => readonly Column<Row>[];
  /** Returns the reason why a document with this status can't be sent, or an empty string if it can. */
  faultOf: (status: number) => string;
  /** The hint that is shown while the list is empty. */
  hint: string;
}

const CHIPS = [
  { value: 'open', label: 'Pending' },
  { value: 'all', label: 'All' },
] as const;

/** The filter of the list, stored in the URL: only pending documents (the default), or all documents. */
const useWhich = () => useAddressChoice<'open' | 'all'>('part', ['open', 'all']);

function OfferChips() {
  const [which, choose] = useWhich();
  return <Chips label="List filters" chips={CHIPS} value={which} onChange={choose} />;
}

/** Returns the tab for a kind: its list (newest first), its panel, and its forms, whose state is in the URL. */
export function documentTab<Row extends BillingInvoiceRow, One extends { id: number }>(
  tab: DocumentTab<Row, One>,
): BillingTab {
  const { kind, records } = tab;
  const { words } = records;
  const sent = { kind, words, faultOf: tab.faultOf };
  const rest = documentPart(tab);

  function List({ place: _, ...place }: ListPlace) {
    const [which] = useWhich();
    const part = kind.offer === undefined ? 'all' : which;
    const read = useList({ list: records.part(part), words });
    const empty = {
      title: `No ${part === 'all' ? '' : 'pending '}${words.many}`,
      hint: tab.hint,
      add: rest.primary.label,
    };
    const shared = { ...place, read, empty, columnsOf: tab.columns };
    return <SentList<Row> key={part} {...shared} kind={sent} record={useBeside(kind.screen.key)} />;
  }

  return { ...rest, List, ...(kind.offer && { Filter: OfferChips }) };
}

/** Returns everything in a kind's tab except the list. */
export function documentPart<Row, One extends { id: number }>(tab: DocumentPart<Row, One>): Omit<BillingTab, 'List'> {
  const { kind, edit: editName, panel: Panel, entry: Entry, forms } = tab;
  const { key } = kind.screen;
  const copyName = `copy${key}`;
  const { words } = tab.records;
  const label = titled(words.many);
  const add = `Add ${titled(words.one)}`;

  function useForms() {
    const { go } = usePlace();
    const closed = Object.fromEntries([editName, copyName, ...(forms?.closes ?? [])].map((name) => [name, undefined]));
    const saved = (id: number, isSent = false) =>
      go({ ...nothingBeside(), ...closed, [key]: id, ...(isSent ? { send: id } : {}) });
    return {
      edit: useOpenRecord(editName),
      copy: useOpenRecord(copyName, { hasNew: false }),
      ends: {
        onSaved: ({ id }: { id: number }) => saved(id),
        onDeleted: () => go({ ...closed, [key]: undefined }),
        onPay: ({ id }: { id: number }) => saved(id),
        onSend: ({ id }: { id: number }) => saved(id, true),
      },
    };
  }

  function OpenPanel({ id, onClose }: { id: number; onClose: () => void }) {
    const { edit, copy } = useForms();
    const payment = useBeside(documentKinds.payment.screen.key);
    return <Panel {...{ id, onClose, payment }} onOpen={edit.open} onCopy={copy.open} />;
  }

  function Forms({ manages }: { manages: boolean }) {
    const { edit, copy, ends } = useForms();
    if (!manages) return null;
    return (
      <>
        {edit.id !== undefined && <Entry key={edit.id} {...ends} invoiceId={edit.id} onClose={edit.close} />}
        {copy.id !== undefined && (
          <Entry key={`copy ${copy.id}`} {...ends} invoiceId={0} copyOf={copy.id} onClose={copy.close} />
        )}
        {forms && <forms.Forms {...ends} />}
      </>
    );
  }

  return {
    value: tab.value,
    label,
    search: `Search ${label}...`,
    primary: { label: add, name: editName },
    beside: { key, Panel: OpenPanel },
    Forms,
  };
}
