import { calls } from '@evenkeel/contract/all';
import type { AuditChange } from '@evenkeel/contract/audit';
import { LINE_STATES } from '@evenkeel/contract/bankRules';
import { keysDescribed } from '@evenkeel/contract/wire';
import { formatDate, isIsoDate } from '@evenkeel/core/dates';
import { billingStatuses } from '@evenkeel/core/documents/invoice';
import { decimal, formatAmount, toCents } from '@evenkeel/core/money';
import { exemptReasons, filingFrequencies, salesTaxTypes } from '@evenkeel/core/documents/salestax';
import { isSettingName, settingMeaning } from '@evenkeel/core/settings';
import { taxClassifications } from '@evenkeel/core/taxes/forms1099';
import { badDebtOrders, lawTopics, taxRoundings } from '@evenkeel/core/taxes/law';
import { SETTING_LABELS } from '@evenkeel/core/words/audit';

/**
 * Describes a change in words, field by field. The input is the record as the API returned it before and after the
 * change. Field names come from the keys, and the contract determines which fields are amounts, so a new field or kind
 * needs no code here.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The tables for records that an ID field can refer to. */
export type Named =
  | 'account'
  | 'account_category'
  | 'banking_account'
  | 'discount'
  | 'entity'
  | 'location'
  | 'package'
  | 'payment_type'
  | 'product'
  | 'profit_center'
  | 'sales_tax_scenario';

/** Keys are lowercase. */
const REFERENCES: Readonly<Record<string, Named>> = {
  accountid: 'account',
  defaultaraccountid: 'account',
  defaultapaccountid: 'account',
  defaultreaccountid: 'account',
  glaccountid: 'account',
  paymentaccountid: 'account',
  discountsgivenaccountid: 'account',
  purchasediscountsaccountid: 'account',
  feeaccountid: 'account',
  reviewaccountid: 'account',
  bankchargeaccountid: 'account',
  interestaccountid: 'account',
  accountcategoryid: 'account_category',
  bankaccountid: 'banking_account',
  frombankaccountid: 'banking_account',
  tobankaccountid: 'banking_account',
  clearingbankaccountid: 'banking_account',
  payoutbankaccountid: 'banking_account',
  discountid: 'discount',
  entityid: 'entity',
  customerid: 'entity',
  vendorid: 'entity',
  locationid: 'location',
  packageid: 'package',
  paymenttypeid: 'payment_type',
  productid: 'product',
  profitcenterid: 'profit_center',
  salestaxscenario: 'sales_tax_scenario',
  salestaxscenarioid: 'sales_tax_scenario',
};

const CODES: Readonly<Record<string, readonly { id: number; displayName: string }[]>> = {
  arbillingstatus: billingStatuses,
  filingfrequency: filingFrequencies,
  salestaxtype: salesTaxTypes,
};

/** The labels of choices by lowercase key. */
const CHOICES: Readonly<Record<string, readonly { id: string; label: string }[]>> = {
  classification: taxClassifications,
  direction: [
    { id: 'in', label: 'Money in' },
    { id: 'out', label: 'Money out' },
    { id: 'both', label: 'Money in or out' },
  ],
  exemptreason: exemptReasons,
  makes: [
    { id: 'draft', label: 'Draft' },
    { id: 'posted', label: 'Posted' },
    { id: 'sent', label: 'Sent' },
  ],
  operator: [
    { id: 'contains', label: 'Contains' },
    { id: 'is', label: 'Is' },
    { id: 'begins', label: 'Starts with' },
  ],
  order: badDebtOrders,
  rounding: taxRoundings,
  secondfactor: [
    { id: 'nobody', label: 'Nobody' },
    { id: 'administrators', label: 'Administrators' },
    { id: 'everybody', label: 'Everybody' },
  ],
  taxidkind: [
    { id: 'ein', label: 'EIN' },
    { id: 'ssn', label: 'SSN' },
  ],
  taxrounding: taxRoundings,
  topic: lawTopics,
};

/** The names of a bank transaction's states. */
const LINE_STATE_WORDS: Readonly<Record<(typeof LINE_STATES)[number], string>> = {
  review: 'For review',
  matched: 'Matched',
  added: 'Added',
  transferred: 'Transferred',
  excluded: 'Excluded',
};

/** Fields that are derived, redundant, or not set by a user. */
const QUIET = new Set(
  `id rowVersion entryDate badge daysOverdue readyToPay isDeletable invoiceid contactList phoneList
  currentBalance lastReconciledDate lastReconciledBalance hasEntries isNumberLost isProduct isPackage
  isDiscount isProductLine savedBy savedAt importedBy importedAt userCount filePath uploadDate contentType
  documentId displayAddress displayLabel displayValue customerDisplayName vendorDisplayName productName
  productCategoryID fromBankAccountName toBankAccountName bankAccountName customerAccountId itemAmount
  lineItemTax taxItems balance invitedAt lastSignInAt lastseenat baseURL displayAccountLabel newcontact
  countryId stateId provinceId roleId masterAccountID masterAccountNumberLabel startDateInUse endDateInUse
  primaryContactName primaryContactEmail primaryContactPhone entityName sourceType sourceId reversedBy
  reconciliationId transactionID changedAt terms next amountNow occurrences problem tomorrow`
    .toLowerCase()
    .split(/\s+/),
);

/** The labels of the forms, by lowercase key, for fields whose label can't be derived from the key. */
const LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SETTING_LABELS).map(([name, label]) => [name.toLowerCase(), label])),
  accountnamelabel: 'Account Name',
  accountnumberlabel: 'Account Number',
  address1: 'Address 1',
  address2: 'Address 2',
  cc: 'Copy to',
  classification: 'Tax Classification',
  clearingbankaccountid: 'Clearing Account',
  creditline: 'Credit Item',
  customernote: 'Note to Customer',
  dba: 'DBA',
  discountpercent: 'Discount (%)',
  exemptreason: 'Reason for Exemption',
  exemptuntil: 'Certificate Valid Through',
  feeaccountid: 'Fee Account',
  flatvalue: 'Fixed Amount',
  glid: 'Entry',
  glids: 'Entries',
  is1099: 'Track Payments for 1099',
  leastpart: 'Smallest Part',
  linkdays: 'Private Links Expire After (Days)',
  mostbycard: 'Maximum Card Payment',
  paylink: 'Payment Link',
  paymentcheckno: 'Check Number',
  paymentrefno: 'Ref Number',
  payoutbankaccountid: 'Payouts To',
  paysnow: 'Pay Now on Invoices',
  plusfour: 'Plus 4',
  ponumber: 'PO Number',
  restpercent: 'Percentage of the Remainder',
  reviewaccountid: 'Disputes and Review',
  secondfactor: 'Two-Step Verification',
  sha256: 'SHA-256',
  taxidend: 'Tax ID',
  taxidkind: 'Type of Tax ID',
  taxpermitno: 'Tax Permit Number',
  w9date: 'W-9 Received',
  w9requested: 'W-9 Requested',
  workitemdate: 'Work Item Date',
  displayname: 'Display Name',
  categoryname: 'Category',
  arbillingstatus: 'Billing Status',
  colonybookstermsaccepted: 'Terms Accepted',
  profitcenterid: 'Profit Center',
  profitcentername: 'Name',
  salestaxscenarioid: 'Sales Tax',
  salestaxscenario: 'Sales Tax',
  itemprice: 'Price',
  lineitemamount: 'Amount',
  lineitems: 'Line',
  paymentapplications: 'Application',
  documentlinks: 'File',
  links: 'Link',
  phones: 'Phone',
  contacts: 'Contact',
  addresses: 'Address',
  emails: 'Email',
  emailaddress: 'Email',
  roleproperties: 'Permissions',
  generalledgerentries: 'Entry',
  salestaxitems: 'Tax',
  packagelineitems: 'Part',
  packageparts: 'Part',
  extendedproperties: 'Property',
  incomingentries: 'Incoming Entry',
  outgoingentries: 'Outgoing Entry',
  endson: 'Expiration Date',
};

/** The fields that can name a list item, in order of preference. */
const NAMES = [
  'description',
  'productName',
  'documentName',
  'displayNumber',
  'label',
  'name',
  'invoiceDescription',
  'displayAddress',
  'displayAccountLabel',
  'text',
  'emailAddress',
];

const KEYS = [
  'id',
  'phoneID',
  'documentId',
  'invoiceId',
  'glid',
  'packageLineItemID',
  'baseExtendedPropertyId',
  'addressID',
  'addressType',
];

const MOST_LETTERS = 300;
/** The maximum length of an item's name. */
const MOST_IN_NAME = 80;

/** Returns whether the log omits a field. */
export const isQuiet = (key: string): boolean => QUIET.has(key.toLowerCase());

/**
 * Returns a setting as a record with one field, which has the setting's name, and a bank transaction with its status in
 * words. Returns any other record unchanged.
 */
export function meaningOf(kind: string, shown: unknown): unknown {
  if (kind === 'bankline' && isFields(shown)) return withStatus(shown);
  const { settingName: name, settingValue: text } = fieldsOf(shown);
  const isSetting = kind === 'setting' && typeof name === 'string' && isSettingName(name) && typeof text === 'string';
  return isSetting ? { [name]: settingMeaning(name, text) } : shown;
}

function withStatus({ state, ...line }: Fields): Fields {
  const known = LINE_STATES.find((each) => each === state);
  return { ...line, status: known === undefined ? state : LINE_STATE_WORDS[known] };
}

/** Returns the name of a record that a field refers to. */
export type NameOf = (kind: Named, id: number) => string | undefined;

/** Returns the changes between two versions of a record. `recordId` is the record's own ID, which is not reported. */
export function changesOf(before: unknown, after: unknown, recordId: number, nameOf: NameOf): AuditChange[] {
  const isWhole = !isFields(before) || !isFields(after);
  const differ = new Differ(nameOf);
  differ.fields(fieldsOf(before), fieldsOf(after), { prefix: '', ownId: recordId });
  return differ.found.filter((change) => !isWhole || !isNothing(change.before ?? change.after));
}

/** In a created or deleted record, values that are off, zero, or empty count as not entered. */
const isNothing = (value: string | null): boolean => value === null || value === 'No' || value === '0.00';

/** Returns, by table, the records that any fields in these values refer to. */
export function referencesIn(values: readonly unknown[]): Map<Named, Set<number>> {
  const found = new Map<Named, Set<number>>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isFields(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const kind = REFERENCES[key.toLowerCase()];
      if (kind !== undefined && typeof inner === 'number') found.set(kind, (found.get(kind) ?? new Set()).add(inner));
      else visit(inner);
    }
  };
  for (const value of values) visit(value);
  return found;
}

interface Place {
  /** A prefix for the field names of an item, such as `Storm debris, `. */
  prefix: string;
  ownId?: number;
}

class Differ {
  readonly found: AuditChange[] = [];
  readonly #nameOf: NameOf;

  constructor(nameOf: NameOf) {
    this.#nameOf = nameOf;
  }

  fields(before: Fields, after: Fields, { prefix, ownId }: Place): void {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (isQuiet(key)) continue;
      const [old, now] = [before[key], after[key]];
      if (ownId !== undefined && /id$/i.test(key) && [old ?? ownId, now ?? ownId].every((id) => id === ownId)) continue;
      this.#field(key, [old, now], prefix);
    }
  }

  #field(key: string, [old, now]: readonly [unknown, unknown], prefix: string): void {
    if (Array.isArray(old) || Array.isArray(now)) this.#list(key, [listOf(old), listOf(now)], prefix);
    else if (isFields(old) || isFields(now)) this.fields(fieldsOf(old), fieldsOf(now), { prefix });
    else this.#add(prefix + named(key, prefix), this.#words(key, old), this.#words(key, now));
  }

  #add(field: string, before: string | null, after: string | null): void {
    if (before !== after) this.found.push({ field, before, after });
  }

  #list(key: string, [old, now]: readonly [readonly unknown[], readonly unknown[]], prefix: string): void {
    if ([...old, ...now].some((each) => !isFields(each))) {
      const lost = old.filter((each) => !now.includes(each)).map(String);
      const won = now.filter((each) => !old.includes(each)).map(String);
      this.#add(prefix + named(key, prefix), lost.join(', ') || null, won.join(', ') || null);
      return;
    }
    const idKey = keyOf(old, now);
    const before = new Map(old.map((each, at) => [idKey(each, at), fieldsOf(each)]));
    const after = new Map(now.map((each, at) => [idKey(each, at), fieldsOf(each)]));
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      this.#item(`${prefix}${named(key, prefix)}`, before.get(id), after.get(id));
    }
  }

  #item(label: string, old: Fields | undefined, now: Fields | undefined): void {
    const only = old ?? now;
    if (only === undefined) return;
    const name = nameIn(old ?? {}) ?? nameIn(now ?? {}) ?? label;
    if (old !== undefined && now !== undefined) this.fields(old, now, { prefix: `${name}, ` });
    else this.#add(label, old === undefined ? null : this.#whole(old), now === undefined ? null : this.#whole(now));
  }

  /** Describes an item in one line: its name, account, and amount, or all of its fields. */
  #whole(item: Fields): string {
    const name = nameIn(item);
    if (name !== undefined) {
      const account = this.#words('accountId', item['accountId']);
      return [name, account, this.#amountOf(item)].filter((part) => part !== null).join(', ');
    }
    const all = new Differ(this.#nameOf);
    all.fields({}, item, { prefix: '' });
    const said = all.found.flatMap(({ field, after }) => (isNothing(after) ? [] : [`${field} ${after}`]));
    return said.join(', ').slice(0, MOST_LETTERS) || 'empty';
  }

  /** Returns an item's amount. Names the side of a ledger entry, and shows a bill's credit item as negative. */
  #amountOf(item: Fields): string | null {
    const amounts = Object.entries(item).flatMap(([key, value]) => {
      const isSum = /amount$|^total$|^price$/i.test(key) && AMOUNTS.has(key.toLowerCase());
      return isSum && typeof value === 'number' && value !== 0 ? [{ key, value }] : [];
    });
    const last = amounts.at(-1);
    if (last === undefined) return null;
    const { key, value } = last;
    const words = this.#words(key, item['creditLine'] === true ? -value : value);
    if (item['creditLine'] === true) return `credit item ${words}`;
    const side = ENTRY_SIDES[key];
    return side === undefined ? words : `${side} ${words}`;
  }

  #words(key: string, value: unknown): string | null {
    if (value === null || value === undefined || value === '') return null;
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    if (typeof value === 'number') return this.#number(key.toLowerCase(), value);
    if (typeof value !== 'string') return JSON.stringify(value).slice(0, MOST_LETTERS);
    const choice = CHOICES[key.toLowerCase()]?.find(({ id }) => id === value);
    if (choice !== undefined) return choice.label;
    return isIsoDate(value) ? formatDate(value) : value.slice(0, MOST_LETTERS);
  }

  #number(key: string, value: number): string | null {
    const kind = REFERENCES[key];
    if (kind !== undefined) return value === 0 ? null : (this.#nameOf(kind, value) ?? `number ${value}`);
    const code = CODES[key]?.find(({ id }) => id === value);
    if (code !== undefined) return code.displayName;
    return AMOUNTS.has(key) ? formatAmount(toCents(decimal(value))) : String(value);
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns the key that identifies the items in a list. If the items have no key like this, they are identified by
 * position.
 */
export function keyOf(old: readonly unknown[], now: readonly unknown[]): (item: unknown, at: number) => unknown {
  const tells = (key: string): boolean =>
    [old, now].every((list) => {
      const ids = list.map((each) => fieldsOf(each)[key]);
      return ids.every((id) => typeof id === 'number' && id >= 0) && new Set(ids).size === ids.length;
    });
  const key = KEYS.find(tells);
  return key === undefined ? (_, at) => at : (item) => fieldsOf(item)[key];
}

/** The amounts of a ledger entry. */
const ENTRY_SIDES: Readonly<Record<string, string>> = { debitAmount: 'debit', creditAmount: 'credit' };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns an item's name. A ledger entry is named by its account and its description. */
function nameIn(item: Fields): string | undefined {
  const isEntry = Object.keys(ENTRY_SIDES).some((key) => key in item);
  const entryName = isEntry ? ['displayAccountLabel', 'description'].map((key) => item[key]).filter(isText) : [];
  const found = entryName.join(', ') || NAMES.map((key) => item[key]).find(isText);
  if (found === undefined) return undefined;
  return found.length > MOST_IN_NAME ? `${found.slice(0, MOST_IN_NAME - 1).trimEnd()}…` : found;
}

/** Returns a field's label, for example "Due Date" for `dueDate`. */
export const fieldLabel = (key: string): string => LABELS[key.toLowerCase()] ?? titled(key);

/** Converts `dueDate` to "Due Date", or to "due date" after an item's name. */
function named(key: string, prefix: string): string {
  const words = fieldLabel(key);
  return prefix === '' || /^[A-Z]{2}/.test(words) ? words : words.toLowerCase();
}

function titled(key: string): string {
  const words = key
    .replace(/^(is|has)(?=[A-Z])/, '')
    .replace(/(?<=.)I[dD](s?)$/, '$1')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/\b(gl|id|po|url)\b/gi, (word) => word.toUpperCase());
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The lowercase keys of dollar amounts in the contract's responses. */
const AMOUNTS: ReadonlySet<string> = keysDescribed(
  Object.values(calls).flatMap(({ reply }) => (typeof reply === 'string' ? [] : [reply])),
  'US dollars',
);
