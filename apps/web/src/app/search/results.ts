import type { Permission } from '@evenkeel/contract/areas';
import type { SearchResult } from '@evenkeel/contract/search';
import { documentKinds } from '@evenkeel/core/documents/side';
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
import { documentAddress } from '../../parts/ledger/sources.ts';
import type { MenuItem } from '../../ui/frame/SideMenu.tsx';
import type { StatusLook } from '../../ui/show/Status.tsx';

/** Defines the way that the palette shows and opens one type of search result. */

interface Kind {
  group: string;
  icon: MenuItem['icon'];
  needs: Permission;
  to: (id: number) => string;
  /** The label before the number. Omitted within a group of the same type. */
  label?: string;
}

const { invoice, creditmemo, writeoff, estimate, expense, payment, expensepayment, journal } = documentKinds;
const document = (source: string) => (id: number) => documentAddress(source, id)?.to ?? '';

/** The result types, by their number in SEARCH_KINDS. */
export const RESULT_KINDS: readonly Kind[] = [
  { group: 'Customers', icon: IconUser, needs: 'View Customers', to: (id) => `/customers?customer=${id}` },
  { group: 'Vendors', icon: IconTruck, needs: 'View Vendors', to: (id) => `/vendors?vendor=${id}` },
  {
    group: 'Invoices',
    icon: IconReceipt,
    needs: 'View Billing',
    to: document(invoice.source),
    label: invoice.label,
  },
  { group: 'Bills', icon: IconCreditCard, needs: 'View Expenses', to: document(expense.source), label: expense.label },
  { group: 'Products', icon: IconBox, needs: 'View Products', to: (id) => `/products?tab=products&product=${id}` },
  {
    group: 'Package Deals',
    icon: IconPackages,
    needs: 'View Products',
    to: (id) => `/products?tab=packages&package=${id}`,
  },
  {
    group: 'Payments',
    icon: IconCashBanknote,
    needs: 'View Billing',
    to: document(payment.source),
    label: payment.label,
  },
  {
    group: 'Bill Payments',
    icon: IconCashBanknote,
    needs: 'View Expenses',
    to: document(expensepayment.source),
    label: expensepayment.label,
  },
  {
    group: 'Journal Entries',
    icon: IconBook2,
    needs: 'View Accounting',
    to: (id) => `/accounting?entry=${id}`,
    label: journal.label,
  },
  { group: 'Accounts', icon: IconListNumbers, needs: 'View Accounting', to: (id) => `/accounting?account=${id}` },
  {
    group: 'Credit Memos',
    icon: IconReceiptRefund,
    needs: 'View Billing',
    to: document(creditmemo.source),
    label: creditmemo.label,
  },
  {
    group: 'Estimates',
    icon: IconReceipt,
    needs: 'View Billing',
    to: document(estimate.source),
    label: estimate.label,
  },
  {
    group: 'Work Items',
    icon: IconClipboardList,
    needs: 'View Billing',
    to: (id) => `/billing?tab=work&workitem=${id}`,
  },
  {
    group: 'Scheduled Invoices',
    icon: IconRepeat,
    needs: 'View Billing',
    to: (id) => `/billing?scheduled=${id}`,
  },
  {
    group: 'Scheduled Bills',
    icon: IconRepeat,
    needs: 'View Expenses',
    to: (id) => `/expenses?scheduled=${id}`,
  },
  {
    group: 'Scheduled Entries',
    icon: IconRepeat,
    needs: 'View Accounting',
    to: (id) => `/accounting?scheduled=${id}`,
  },
  {
    group: 'Write-Offs',
    icon: IconReceiptOff,
    needs: 'View Billing',
    to: (id) => `/billing?tab=writeoffs&writtenoff=${id}`,
    label: writeoff.label,
  },
];

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

/** Returns the text and amounts of a result. `isAlone` means that no group heading names its type. */
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
