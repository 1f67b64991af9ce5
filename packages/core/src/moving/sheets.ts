/** The kinds of records that a spreadsheet may contain, and the columns of each kind. */

export interface SheetField {
  id: string;
  label: string;
  isRequired?: boolean;
  isAmount?: boolean;
  isText?: boolean;
}

const field = (id: string, label: string, facts: Partial<SheetField> = {}): SheetField => ({ id, label, ...facts });
const required = (id: string, label: string, facts: Partial<SheetField> = {}): SheetField =>
  field(id, label, { isRequired: true, ...facts });

const MEMO = field('memo', 'Description', { isText: true });
const STATUS = field('status', 'Status');
/**
 * The record's ID in its source, by which a repeated import recognizes the record even if its other values have
 * changed.
 */
const ID = field('id', 'ID');

const payments = (party: SheetField): SheetField[] => [
  required('date', 'Date'),
  party,
  required('amount', 'Amount', { isAmount: true }),
  required('deposit', 'Bank Account'),
  field('entry', 'Number'),
  MEMO,
  ID,
];

const documents = (party: SheetField): SheetField[] => [
  party,
  required('number', 'Number'),
  required('date', 'Date'),
  required('amount', 'Open Balance', { isAmount: true }),
  field('due', 'Due Date'),
  field('account', 'Account'),
  MEMO,
];

const people = (party: SheetField): SheetField[] => [
  party,
  field('email', 'Email'),
  field('phone', 'Phone'),
  field('address', 'Address', { isText: true }),
  field('terms', 'Terms'),
  STATUS,
  ID,
];

const CUSTOMER = required('customer', 'Customer');
const VENDOR = required('vendor', 'Vendor');

/** Specific kinds come first, because a sheet is assigned the first kind whose required columns it contains. */
export const SHEET_KINDS = {
  'Journal entries': [
    required('date', 'Date'),
    required('account', 'Account'),
    required('debit', 'Debit', { isAmount: true }),
    required('credit', 'Credit', { isAmount: true }),
    field('entry', 'Number'),
    field('customer', 'Customer'),
    field('vendor', 'Vendor'),
    MEMO,
    ID,
  ],
  Payments: payments(CUSTOMER),
  'Bill payments': payments(VENDOR),
  Invoices: documents(CUSTOMER),
  Bills: documents(VENDOR),
  Products: [
    required('product', 'Product'),
    required('price', 'Price', { isAmount: true }),
    MEMO,
    field('income', 'Income Account'),
    field('cost', 'Cost', { isAmount: true }),
    STATUS,
    ID,
  ],
  Accounts: [required('account', 'Account'), required('type', 'Type'), field('accountNumber', 'Number'), MEMO, STATUS],
  Customers: people(CUSTOMER),
  Vendors: people(VENDOR),
} satisfies Record<string, SheetField[]>;
export type SheetKind = keyof typeof SHEET_KINDS;

/** Returns whether the text is the name of a kind. */
export const isSheetKind = (kind: string): kind is SheetKind => Object.hasOwn(SHEET_KINDS, kind);

/** Returns the columns of a kind. */
export const sheetFields = (kind: SheetKind): readonly SheetField[] => SHEET_KINDS[kind];
