import { type IsoDate, isoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { type Cents, cents, sum, ZERO } from '../money.ts';
import { businessDayFrom } from './due.ts';
import {
  type AccountBox,
  type FormBoxId,
  formBoxIds,
  type FormId,
  formIds,
  type FormPart,
  type TaxClassification,
  type TaxIdKind,
} from './ids.ts';
import { federalRule, type LawRule, statedDueDate } from './law.ts';

/** The rules for 1099 forms: which payments to a vendor are reported, in which box, and whether a form is due. */

export interface FormBox {
  id: FormBoxId;
  form: FormId;
  /** The number of the box on its form. */
  number: number;
  label: string;
}

export const formBoxes: readonly FormBox[] = [
  { id: 'nec1', form: 'nec', number: 1, label: 'Nonemployee compensation' },
  { id: 'misc1', form: 'misc', number: 1, label: 'Rents' },
  { id: 'misc2', form: 'misc', number: 2, label: 'Royalties' },
  { id: 'misc3', form: 'misc', number: 3, label: 'Other income' },
  { id: 'misc6', form: 'misc', number: 6, label: 'Medical and health care payments' },
  { id: 'misc10', form: 'misc', number: 10, label: 'Gross proceeds paid to an attorney' },
];

/** The number of the box for backup withholding, which is the same on both forms. */
export const WITHHELD_BOX = 4;

const FORM_NAMES: Record<FormId, string> = { nec: 'NEC', misc: 'MISC' };

/** Returns the short name of a form, for example "NEC". */
export const formName = (form: FormId): string => FORM_NAMES[form];

/** Returns the title of a form, for example "Form 1099-NEC". */
export const formTitle = (form: FormId): string => `Form 1099-${formName(form)}`;

/** Returns the box with its form and number. */
export function boxOf(id: FormBoxId): FormBox {
  const found = formBoxes.find((box) => box.id === id);
  if (found === undefined) throw new Error(`unknown box '${id}'`);
  return found;
}

/** Returns the boxes on a form in words, for example "NEC 1, 4". */
export function boxWords(form: FormId, boxes: readonly FormBoxId[], withheld: Cents): string {
  const numbers = boxes.map((id) => boxOf(id).number);
  const all = withheld === 0 ? numbers : [...numbers, WITHHELD_BOX];
  return `${formName(form)} ${all.toSorted((a, b) => a - b).join(', ')}`.trim();
}

export const taxClassifications: readonly { id: TaxClassification; label: string }[] = [
  { id: 'individual', label: 'Individual or sole proprietor' },
  { id: 'partnership', label: 'Partnership' },
  { id: 'c_corporation', label: 'C corporation' },
  { id: 's_corporation', label: 'S corporation' },
  { id: 'trust', label: 'Trust or estate' },
  { id: 'llc', label: 'Limited liability company' },
  { id: 'other', label: 'Other' },
];

/** Returns the name of a 1099 form or box, for example "NEC 1: Nonemployee compensation" or "Form 1099-NEC". */
export function partName(part: FormPart): string {
  if (part === 'nec' || part === 'misc') return formTitle(part);
  const { form, number, label } = boxOf(part);
  return `${formName(form)} ${number}: ${label}`;
}

/** Returns the due date of a year's forms, moved to a business day. */
export function formDueDate(rules: readonly LawRule[], form: FormId, year: number): IsoDate {
  const { value } = federalRule(rules, { topic: 'due', form, year });
  return businessDayFrom(statedDueDate(value, isoDate(`${year}-12-31`)));
}

/**
 * The kind of a payment. Card issuers and payment networks report their payments themselves (IRC 6050W). An entry that
 * moves no money, such as a journal entry between two expense accounts, is not a payment.
 */
export type PaidHow = 'money' | 'card' | 'network' | 'nothing';

/**
 * A part of a payment on the cash basis: the amount that was posted to an account. Refunds and credits are negative.
 */
export interface PaidPart {
  vendorId: number;
  accountId: number;
  how: PaidHow;
  amount: Cents;
}

/** The reasons why a part is not reported. */
export type NotReported = 'card' | 'network' | 'noBox' | 'nothing';

/**
 * Returns the box in which a part is reported, or the reason why it isn't reported. Withheld tax is in box 4 of the
 * form.
 */
export function placeOfPart(
  { accountId, how }: Pick<PaidPart, 'accountId' | 'how'>,
  boxes: ReadonlyMap<number, AccountBox>,
): { box: FormBoxId | null; isWithheld: boolean; reason: NotReported | null } {
  const box = boxes.get(accountId);
  if (how === 'nothing') return { box: null, isWithheld: false, reason: 'nothing' };
  if (box === 'withheld') return { box: null, isWithheld: true, reason: null };
  if (box === undefined || box === 'network') return { box: null, isWithheld: false, reason: 'noBox' };
  return { box, isWithheld: false, reason: how === 'money' ? null : how };
}

export interface BoxAmount {
  box: FormBoxId;
  amount: Cents;
  threshold: Cents;
}

/** A form for a vendor and a year. */
export interface VendorForm {
  vendorId: number;
  form: FormId;
  /** The amounts of the boxes with payments, in the order of the boxes. Amounts can be negative after refunds. */
  boxes: readonly BoxAmount[];
  /** Payments by card and through payment networks, which are not in the boxes. */
  byCard: Cents;
  /** Payments posted to accounts without a box. Included only in the vendor's first form. */
  noBox: Cents;
  /** The withheld tax, which is included in the payments. */
  withheld: Cents;
  isDue: boolean;
}

export interface FormsAsk {
  /** The boxes by account. */
  boxes: ReadonlyMap<number, AccountBox>;
  /** The tax rules with the thresholds. */
  rules: readonly LawRule[];
  year: number;
}

/**
 * Returns the forms of all vendors with payments. A form is due if a box reaches its threshold, or if tax was withheld.
 * Withheld tax belongs to the form with the larger amount. A vendor whose payments were all posted to accounts without
 * a box has a 1099-NEC without boxes, which is not due.
 */
export function vendorForms(parts: readonly PaidPart[], ask: FormsAsk): VendorForm[] {
  const byVendor = new Map<number, PaidPart[]>();
  for (const part of parts) {
    const own = byVendor.get(part.vendorId);
    if (own === undefined) byVendor.set(part.vendorId, [part]);
    else own.push(part);
  }
  const thresholds = thresholdsIn(ask);
  return [...byVendor].flatMap(([vendorId, own]) => formsOf(vendorId, own, { boxes: ask.boxes, thresholds }));
}

/** Returns the thresholds of all boxes for payments in a year. */
function thresholdsIn({ rules, year }: FormsAsk): Map<FormBoxId, Cents> {
  return new Map(
    formBoxIds.map((form) => [form, federalRule(rules, { topic: 'threshold', form, year }).value.threshold]),
  );
}

function formsOf(
  vendorId: number,
  parts: readonly PaidPart[],
  { boxes, thresholds }: Pick<FormsAsk, 'boxes'> & { thresholds: ReadonlyMap<FormBoxId, Cents> },
): VendorForm[] {
  if (parts.every(({ amount, how }) => amount === 0 || how === 'nothing')) return [];
  const placed = parts.map((part) => ({ ...placeOfPart(part, boxes), amount: part.amount }));
  const total = (which: (part: (typeof placed)[number]) => boolean): Cents =>
    sum(placed.filter(which).map(({ amount }) => amount));
  // Withheld tax is a credit on its liability account.
  const withheld = cents(0 - total(({ isWithheld }) => isWithheld));
  const noBox = total(({ reason }) => reason === 'noBox');
  const forms = formIds.flatMap((form): Omit<VendorForm, 'noBox' | 'withheld' | 'isDue'>[] => {
    const own = formBoxIds.filter((id) => boxOf(id).form === form && placed.some(({ box }) => box === id));
    if (own.length === 0) return [];
    return [
      {
        vendorId,
        form,
        boxes: own.map((box) => ({
          box,
          amount: total((part) => part.box === box && part.reason === null),
          threshold: thresholds.get(box) ?? ZERO,
        })),
        byCard: total((part) => boxOfForm(part.box) === form && part.reason !== null),
      },
    ];
  });
  const all = forms.length === 0 ? [{ vendorId, form: 'nec' as const, boxes: [], byCard: ZERO }] : forms;
  const [largest] = all.toSorted((a, b) => reportable(b) - reportable(a));
  return all.map((form, at): VendorForm => {
    const own = form === largest ? withheld : ZERO;
    const isDue = own > 0 || form.boxes.some(({ amount, threshold }) => amount > 0 && amount >= threshold);
    return { ...form, noBox: at === 0 ? noBox : ZERO, withheld: own, isDue };
  });
}

const boxOfForm = (box: FormBoxId | null): FormId | null => (box === null ? null : boxOf(box).form);

/** Returns the total of a form's boxes. */
export function reportable({ boxes }: Pick<VendorForm, 'boxes'>): Cents {
  return sum(boxes.map(({ amount }) => amount));
}

/**
 * Returns the boxes to fill in: boxes that reach their threshold, or all boxes with an amount if tax was withheld.
 * Returns no boxes for a form that isn't due.
 */
export function filledBoxes({ boxes, withheld, isDue }: Pick<VendorForm, 'boxes' | 'withheld' | 'isDue'>): BoxAmount[] {
  if (!isDue) return [];
  return boxes.filter(({ amount, threshold }) => amount > 0 && (withheld > 0 || amount >= threshold));
}

/**
 * Returns the largest amount on a form relative to its threshold, for display as a bar. 1 means that the amount equals
 * the threshold.
 */
export function shareOfThreshold({ boxes }: Pick<VendorForm, 'boxes'>): number {
  return Math.max(0, ...boxes.map(({ amount, threshold }) => amount / threshold));
}

/** The details about a vendor that a form requires. */
export const formFacts = ['taxId', 'classification', 'address'] as const;
export type FormFact = (typeof formFacts)[number];

export interface FormAddress {
  address1: string;
  address2: string;
  city: string;
  /** The abbreviation of the state. */
  state: string;
  zipCode: string;
}

export interface FormParty {
  taxIdEnd: string;
  classification: TaxClassification | null;
  address: FormAddress | null;
}

/** Returns whether an address has everything that a form requires. */
export function isWholeAddress(address: FormAddress | null): boolean {
  return (
    address !== null && [address.address1, address.city, address.state, address.zipCode].every((part) => part !== '')
  );
}

/** Returns the missing details. */
export function missingFacts({ taxIdEnd, classification, address }: FormParty): FormFact[] {
  const isMissing: Record<FormFact, boolean> = {
    taxId: taxIdEnd === '',
    classification: classification === null,
    address: !isWholeAddress(address),
  };
  return formFacts.filter((fact) => isMissing[fact]);
}

export interface TaxIdInput {
  taxId: string;
  taxIdKind: TaxIdKind | null;
}

/** Returns the nine digits of a tax ID, or undefined if the text can't be a tax ID. */
export function taxIdDigits(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '');
  return /^\d{9}$/.test(digits) && digits !== '000000000' ? digits : undefined;
}

/** Returns the messages for a tax ID. An empty tax ID is valid, because the vendor may not have provided it yet. */
export function checkTaxId({ taxId, taxIdKind }: TaxIdInput): FieldMessages {
  const fields: FieldMessages = {};
  if (taxId.trim() === '') return fields;
  if (taxIdKind === null) fields['taxIdKind'] = 'Please select EIN or SSN';
  if (taxIdDigits(taxId) === undefined) fields['taxId'] = 'Please enter nine digits, for example 12-3456789';
  return fields;
}

/** Words in the names of accounts for which a box is proposed. Users confirm each proposed box. */
const PROPOSED: readonly [RegExp, FormBoxId][] = [
  [/\b(royalt(y|ies))\b/i, 'misc2'],
  [/\b(rent|rental|lease)\b/i, 'misc1'],
  [/\b(medical|health care)\b/i, 'misc6'],
  [/\b(sub)?contract(ors?|s)?\b/i, 'nec1'],
  [/\b(legal|attorneys?|professional|consult(ing|ants?)|commissions?|outside services)\b/i, 'nec1'],
];

/** Returns the box to propose for an expense account, or undefined. */
export function proposedBox(account: { name: string; root: string }): FormBoxId | undefined {
  if (account.root !== 'Expense') return undefined;
  return PROPOSED.find(([words]) => words.test(account.name))?.[1];
}
