import type { Source } from '@evenkeel/core/side';
import type { ReactNode } from 'react';
import { DocumentEntries } from '../ledger/DocumentEntries.tsx';
import { useSeesLedger } from '../ledger/seesLedger.ts';
import { useAddressChoice } from '../../records/openRecord.ts';
import { TabbedPane } from '../../ui/page/TabbedPane.tsx';

export interface PanelTabsProps {
  /** The subject of the tabs, e.g. `Invoice 10001`. */
  label: string;
  source: Source;
  /** The Details tab. */
  children: ReactNode;
}

const DETAILS = { value: 'details', label: 'Details' } as const;
const LEDGER = { value: 'ledger', label: 'Ledger' } as const;

/** The tabs of a document's panel: Details, and Ledger for who may see the entries behind it. */
export function PanelTabs({ label, source, children }: PanelTabsProps) {
  const [tab, setTab] = useAddressChoice('panel', ['details', 'ledger']);
  const tabs = useSeesLedger() ? [DETAILS, LEDGER] : [DETAILS];
  const isLedger = tab === 'ledger' && tabs.length > 1;
  return (
    <TabbedPane label={label} place="panel" tabs={tabs} value={isLedger ? 'ledger' : 'details'} onChange={setTab}>
      {isLedger ? <DocumentEntries source={source} /> : <div className="ek-stack">{children}</div>}
    </TabbedPane>
  );
}
