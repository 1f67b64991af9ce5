import { kinds, sides } from '../documents/side.ts';
import { present } from '../failure.ts';
import type { DocumentKind, RecordArea, SearchedKind } from '../kinds/kind.ts';

/** A kind of record that a search finds. Kinds of documents are derived from the document kinds. */
export interface Searched extends SearchedKind {
  area: RecordArea;
  /** The name of the kind in the audit log. For documents, this is the document's source. */
  record: string;
  /** Whether the records of this kind are found by name. If so, a search also corrects mistyped words. */
  isName?: true;
}

const others: readonly Searched[] = [
  {
    number: 0,
    name: 'Customer',
    group: 'Customers',
    icon: 'User',
    area: 'Customers',
    record: 'customer',
    isName: true,
  },
  { number: 1, name: 'Vendor', group: 'Vendors', icon: 'Truck', area: 'Vendors', record: 'vendor', isName: true },
  { number: 4, name: 'Product', group: 'Products', icon: 'Box', area: 'Products', record: 'product', isName: true },
  {
    number: 5,
    name: 'Package Deal',
    group: 'Package Deals',
    icon: 'Packages',
    area: 'Products',
    record: 'package',
    isName: true,
  },
  {
    number: 9,
    name: 'Account',
    group: 'Accounts',
    icon: 'ListNumbers',
    area: 'Accounting',
    record: 'account',
    isName: true,
  },
  { number: 12, name: 'Work Item', group: 'Work Items', icon: 'ClipboardList', area: 'Billing', record: 'workitem' },
  {
    number: 13,
    name: 'Scheduled Invoice',
    group: 'Scheduled Invoices',
    icon: 'Repeat',
    area: 'Billing',
    record: 'scheduled invoice',
  },
  {
    number: 14,
    name: 'Scheduled Bill',
    group: 'Scheduled Bills',
    icon: 'Repeat',
    area: 'Expenses',
    record: 'scheduled expense',
  },
  {
    number: 15,
    name: 'Scheduled Journal Entry',
    group: 'Scheduled Entries',
    icon: 'Repeat',
    area: 'Accounting',
    record: 'scheduled journal',
  },
];

/** Returns all searchable kinds by number. */
export function searchedKinds(): Searched[] {
  const documents = [...kinds.values()].flatMap(({ source, area, search }) =>
    search === undefined ? [] : [{ ...search, area, record: source }],
  );
  return [...others, ...documents].toSorted((a, b) => a.number - b.number);
}

/** Returns the number under which a search finds documents of a given kind. */
export function searchNumberOf({ search, side }: DocumentKind): number {
  return present(search ?? sides.find(({ name }) => name === side)?.document.search, 'search for a kind').number;
}
