import type { Source } from '@evenkeel/core/documents/side';
import type { ReactNode } from 'react';
import { DocumentEntries } from '../../ledger/DocumentEntries.tsx';
import { useSeesLedger } from '../../../client/seesLedger.ts';
import { History } from '../../../records/History.tsx';
import { useAddressChoice } from '../../../records/openRecord.ts';
import { TabbedPane } from '../../../ui/page/TabbedPane.tsx';

export interface PanelTabsProps {
  /** The accessible name of the tabs, for example `Invoice 10001`. */
  label: string;
  source: Source;
  /** The content of the Sending tab, for documents that are sent to customers. */
  sending?: ReactNode;
  /** False if the document never has ledger entries. */
  posts?: boolean;
  /** The content of the Details tab. */
  children: ReactNode;
}

const DETAILS = { value: 'details', label: 'Details' } as const;
const SENDING = { value: 'sending', label: 'Sending' } as const;
const LEDGER = { value: 'ledger', label: 'Ledger' } as const;

const HISTORY = { value: 'history', label: 'History' } as const;

/** The tabs of a document's panel: Details, Sending if available, Ledger for users who can see entries, and History. */
export function PanelTabs({ label, source, sending, posts = true, children }: PanelTabsProps) {
  const [asked, setTab] = useAddressChoice('panel', ['details', 'sending', 'ledger', 'history']);
  const hasLedger = useSeesLedger() && posts;
  const tabs = [DETAILS, ...(sending === undefined ? [] : [SENDING]), ...(hasLedger ? [LEDGER] : []), HISTORY];
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'details';
  return (
    <TabbedPane label={label} place="panel" tabs={tabs} value={tab} onChange={setTab}>
      {tab === 'ledger' && <DocumentEntries source={source} />}
      {tab === 'history' && <History kind={source.type} id={source.id} />}
      {tab === 'sending' && sending}
      {tab === 'details' && <div className="ek-stack">{children}</div>}
    </TabbedPane>
  );
}
