import { PaymentList } from '../../../parts/documents/list/PaymentList.tsx';
import { useAddressChoice } from '../../../records/openRecord.ts';
import { usePlace } from '../../../records/place.ts';
import { Chips } from '../../../ui/page/Chips.tsx';
import { FINANCE_CHARGES } from '../invoices/InvoiceLists.tsx';
import { BILLING } from '../records.ts';
import type { BillingTab, ListPlace } from '../tab.ts';
import { WRITE_OFF, WriteOffList } from '../writeoffs/WriteOffList.tsx';
import { CREDIT_TAB } from './creditTab.tsx';

/** The part of the Credits tab with the write-offs. */
const WRITTEN_OFF = 'writeoffs';

const CHIPS = [
  { value: 'memos', label: 'Credit Memos' },
  { value: WRITTEN_OFF, label: 'Write-Offs' },
  { value: 'refunds', label: 'Refunds' },
] as const;

/** Returns the kind of credits that the list shows. An old URL of the write-offs still opens them. */
function useKind() {
  const { query } = usePlace();
  const [kind, choose] = useAddressChoice<'memos' | typeof WRITTEN_OFF | 'refunds'>('kind', [
    'memos',
    WRITTEN_OFF,
    'refunds',
  ]);
  return { kind: query.get('tab') === WRITTEN_OFF ? WRITTEN_OFF : kind, choose };
}

function CreditChips() {
  const { kind, choose } = useKind();
  return <Chips label="List filters" chips={CHIPS} value={kind} onChange={choose} />;
}

function Credits(props: ListPlace) {
  const { kind } = useKind();
  const { place, filter, onEscape } = props;
  if (kind === WRITTEN_OFF) return <WriteOffList {...props} />;
  if (kind === 'refunds') {
    return <PaymentList side={BILLING} payment={place.payment} part="refund" filter={filter} onEscape={onEscape} />;
  }
  return <CREDIT_TAB.List {...props} />;
}

/**
 * The tab for everything that reduces the amount owed by customers without money: credit memos, write-offs, and
 * refunds.
 */
export const CREDITS_TAB: BillingTab = {
  ...CREDIT_TAB,
  label: 'Credits',
  search: 'Search Credits...',
  second: WRITE_OFF,
  more: [FINANCE_CHARGES],
  List: Credits,
  Filter: CreditChips,
};
