import { csvText } from '../csv.ts';
import { type Cents, toPlain, ZERO } from '../money.ts';
import type { FormAddress } from './forms1099.ts';
import type { TaxIdKind } from './ids.ts';

/**
 * Files for uploading Forms 1099-NEC to the IRS (IRIS Taxpayer Portal, Publication 5717). The column titles and their
 * order match the portal's template for this form.
 */

/** The maximum number of forms that the portal accepts in one file. */
export const IRIS_ROWS = 100;

/** The maximum length of a name or an address line. */
const LINE = 40;

const STATE_COLUMNS = (state: number): string[] => [
  `State ${state}`,
  `State ${state} - State Tax Withheld`,
  `State ${state} - State/Payer state number`,
  `State ${state} - State income`,
  `State ${state} - Local income tax withheld`,
  `State ${state} - Special Data Entries`,
];

export const IRIS_NEC_COLUMNS: readonly string[] = [
  'Form Type',
  'Tax Year',
  'Payer TIN Type',
  'Payer Taxpayer ID Number',
  'Payer Name Type',
  'Payer Business or Entity Name Line 1',
  'Payer Business or Entity Name Line 2',
  'Payer First Name',
  'Payer Middle Name',
  'Payer Last Name (Surname)',
  'Payer Suffix',
  'Payer Country',
  'Payer Address Line 1',
  'Payer Address Line 2',
  'Payer City/Town',
  'Payer State/Province/Territory',
  'Payer ZIP/Postal Code',
  'Payer Phone Type',
  'Payer Phone',
  'Payer Email Address',
  'Recipient TIN Type',
  'Recipient Taxpayer ID Number',
  'Recipient Name Type',
  'Recipient Business or Entity Name Line 1',
  'Recipient Business or Entity Name Line 2',
  'Recipient First Name',
  'Recipient Middle Name',
  'Recipient Last Name (Surname)',
  'Recipient Suffix',
  'Recipient Country',
  'Recipient Address Line 1',
  'Recipient Address Line 2',
  'Recipient City/Town',
  'Recipient State/Province/Territory',
  'Recipient ZIP/Postal Code',
  'Office Code',
  'Form Account Number',
  '2nd TIN Notice',
  'Box 1 - Nonemployee Compensation',
  'Box 2 - Payer made direct sales totaling $5000 or more of consumer products to a recipient for resale',
  'Box 4 - Federal income tax withheld',
  'Combined Federal/State Filing',
  ...STATE_COLUMNS(1),
  ...STATE_COLUMNS(2),
];

/** The payer of a form. */
export interface IrisPayer {
  name: string;
  taxId: string;
  taxIdKind: TaxIdKind;
  address: FormAddress;
  phone: string;
}

/** A form with its recipient. Names of individuals are in two parts. */
export interface IrisForm {
  name: string;
  isIndividual: boolean;
  firstName: string;
  lastName: string;
  taxId: string;
  taxIdKind: TaxIdKind;
  address: FormAddress;
  accountNumber: string;
  amount: Cents;
  withheld: Cents;
}

const digits = (text: string): string => text.replaceAll(/\D/g, '');

/** Returns text with the characters that the portal accepts in names and addresses: without accents or punctuation. */
export function irisText(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return plain
    .replaceAll(/[^A-Za-z0-9 &'()#/-]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replace(/^[ '/#-]+/, '')
    .trim();
}

/** Splits text into two lines of at most 40 characters, between words if possible. */
function inTwoLines(text: string): [string, string] {
  const whole = irisText(text);
  if (whole.length <= LINE) return [whole, ''];
  const space = whole.lastIndexOf(' ', LINE);
  const end = space > 0 && whole.length - space - 1 <= LINE ? space : LINE;
  return [whole.slice(0, end).trim(), whole.slice(end).trim().slice(0, LINE).trim()];
}

const line = (text: string): string => irisText(text).slice(0, LINE).trim();

const nameCells = (name: string): string[] => ['B', ...inTwoLines(name), '', '', '', ''];

/**
 * Returns a person's first and last name. If they are not given separately, the last word of the name is the last name.
 */
function personCells({ name, firstName, lastName }: IrisForm): string[] {
  const at = name.trim().lastIndexOf(' ');
  const [first, last] =
    firstName !== '' && lastName !== '' ? [firstName, lastName] : [name.slice(0, Math.max(0, at)), name.slice(at + 1)];
  return ['I', '', '', line(first), '', line(last), ''];
}

const addressCells = ({ address1, address2, city, state, zipCode }: FormAddress): string[] => [
  'US',
  line(address1),
  line(address2),
  line(city),
  state,
  digits(zipCode).slice(0, 9),
];

function cellsOf(payer: IrisPayer, form: IrisForm, year: number): string[] {
  return [
    '1099-NEC',
    String(year),
    payer.taxIdKind.toUpperCase(),
    digits(payer.taxId),
    ...nameCells(payer.name),
    ...addressCells(payer.address),
    'D',
    digits(payer.phone).slice(-10),
    '',
    form.taxIdKind.toUpperCase(),
    digits(form.taxId),
    ...(form.isIndividual ? personCells(form) : nameCells(form.name)),
    ...addressCells(form.address),
    '',
    irisText(form.accountNumber).slice(0, 20),
    'N',
    toPlain(form.amount),
    'N',
    form.withheld === ZERO ? '' : toPlain(form.withheld),
    ...IRIS_NEC_COLUMNS.slice(41).map(() => ''),
  ];
}

/** Returns the files for a year's forms, each with the column titles and at most 100 forms. */
export function irisFiles(payer: IrisPayer, forms: readonly IrisForm[], year: number): string[] {
  const files: string[] = [];
  for (let at = 0; at < forms.length; at += IRIS_ROWS) {
    const rows = forms.slice(at, at + IRIS_ROWS).map((form) => cellsOf(payer, form, year));
    files.push(csvText([IRIS_NEC_COLUMNS, ...rows]));
  }
  return files;
}
