import type { Permission } from '@evenkeel/contract/areas';
import type { SearchResult } from '@evenkeel/contract/search';
import { documentKinds, kinds } from '@evenkeel/core/documents/side';
import type { SearchIcon } from '@evenkeel/core/kinds/kind';
import { searchedKinds } from '@evenkeel/core/words/searched';
import {
  IconBook2,
  IconBox,
  IconCashBanknote,
  IconClipboardList,
  IconCreditCard,
  IconListNumbers,
  IconPackages,
  IconReceipt,
  IconReceiptOff,
  IconReceiptRefund,
  IconRepeat,
  IconTruck,
  IconUser,
} from '@tabler/icons-react';
import { recordAddress } from '../../parts/ledger/places.ts';
import type { MenuItem } from '../../ui/frame/SideMenu.tsx';
import type { StatusLook } from '../../ui/show/Status.tsx';

/** Defines how the palette shows and opens one type of search result. */

interface Kind {
  group: string;
  icon: MenuItem['icon'];
  needs: Permission;
  to: (id: number) => string;
  /** The label before the number. Omitted in a group whose records all have the same type. */
  label?: string;
}

const ICONS: Readonly<Record<SearchIcon, MenuItem['icon']>> = {
  Book2: IconBook2,
  Box: IconBox,
  CashBanknote: IconCashBanknote,
  ClipboardList: IconClipboardList,
  CreditCard: IconCreditCard,
  ListNumbers: IconListNumbers,
  Packages: IconPackages,
  Receipt: IconReceipt,
  ReceiptOff: IconReceiptOff,
  ReceiptRefund: IconReceiptRefund,
  Repeat: IconRepeat,
  Truck: IconTruck,
  User: IconUser,
};

/** URLs that also specify the list's tab, for types whose screen would otherwise open on another tab. */
const WITH_TAB: Readonly<Record<string, string>> = {
  product: '/products?tab=products&product=',
  [documentKinds.writeoff.source]: '/billing?tab=writeoffs&writtenoff=',
};

/** The types by their numbers in the API. */
export const RESULT_KINDS: readonly Kind[] = searchedKinds().map(({ record, group, icon, area }) => {
  const label = kinds.get(record)?.label;
  const withTab = WITH_TAB[record];
  return {
    group,
    icon: ICONS[icon],
    needs: `View ${area}`,
    to: (id) => (withTab === undefined ? (recordAddress(record, id) ?? '') : `${withTab}${id}`),
    ...(label !== undefined && { label }),
  };
});

export const CUSTOMER = 0;
export const VENDOR = 1;

/** The parts of a result that a row shows. */
export interface Laid {
  text: string;
  /** Muted notes next to the text. */
  notes: readonly string[];
  status?: { look: StatusLook; words: string } | undefined;
  amount?: string | undefined;
}

const isDate = (line: string): boolean => /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(line);
const isAmount = (line: string): boolean => /^[(−-]?\$[\d,.]+\)?$/.test(line);
const LEFT = / (open|unapplied)$/;

/** Returns the text and amounts of a result. `isAlone` means that no group heading above the result names its type. */
export function layOut({ itemType, itemText, searchDisplayItems: lines }: SearchResult, isAlone = false): Laid {
  const { label } = RESULT_KINDS[itemType] ?? {};
  if (label === undefined) {
    return { text: itemText, notes: lines.filter((line) => !isAmount(line)), amount: figureOf(lines.find(isAmount)) };
  }
  const number = isAlone ? itemText : itemText.replace(`${label} `, '');
  const name = lines.slice(0, Math.max(0, lines.findIndex(isDate))).join(' ');
  const amount = lines.find(isAmount);
  const state = lines.find((line) => line === 'Draft' || LEFT.test(line));
  const notes = lines.filter((line) => ![name, amount, state].includes(line));
  return {
    text: name === '' ? number : `${number} · ${name}`,
    notes,
    status: statusOf(state, amount),
    amount: figureOf(amount),
  };
}

/** Amounts in rows have no currency sign. */
const figureOf = (amount: string | undefined): string | undefined => amount?.replace('$', '');

function statusOf(state: string | undefined, amount: string | undefined): Laid['status'] {
  if (state === undefined) return undefined;
  if (state === 'Draft') return { look: 'draft', words: state };
  const isWhole = state.replace(LEFT, '') === amount;
  if (state.endsWith('unapplied')) return { look: 'low', words: isWhole ? 'Unapplied' : state };
  return isWhole ? { look: 'open', words: 'Open' } : { look: 'partial', words: state };
}
