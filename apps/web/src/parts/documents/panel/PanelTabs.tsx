import type { Source } from '@evenkeel/core/documents/side';
import type { ReactNode } from 'react';
import { DocumentEntries } from '../../ledger/DocumentEntries.tsx';
import { useSeesLedger } from '../../ledger/seesLedger.ts';
import { History } from '../../../records/History.tsx';
import { useAddressChoice } from '../../../records/openRecord.ts';
import { TabbedPane } from '../../../ui/page/TabbedPane.tsx';

export interface PanelTabsProps {
  /** The subject of the tabs, e.g. `Invoice 10001`. */
  label: string;
  source: Source;
  /** The Sending tab, of what is sent to customers. */
  sending?: ReactNode;
  /** False where it never has entries. */
  posts?: boolean;
  /** The Details tab. */
  children: ReactNode;
}

const DETAILS = { value: 'details', label: 'Details' } as const;
const SENDING = { value: 'sending', label: 'Sending' } as const;
const LEDGER = { value: 'ledger', label: 'Ledger' } as const;

const HISTORY = { value: 'history', label: 'History' } as const;

/** The tabs of a document's panel: Details, Sending where there is any, Ledger for who may see the entries, History. */
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
