import { expect, it, test } from 'vitest';
import { cents, ZERO } from '../money.ts';
import { IRIS_NEC_COLUMNS, type IrisForm, irisFiles, irisText } from './iris.ts';

const address = {
  address1: '88 Fairlawn Heights Dr.',
  address2: '',
  city: 'Akron',
  state: 'OH',
  zipCode: '44333-1020',
};
const payer = {
  name: 'Cedar & Stone Landscaping, Inc.',
  taxId: '34-1234567',
  taxIdKind: 'ein' as const,
  address,
  phone: '(330) 555-0123',
};
const business: IrisForm = {
  name: 'The Northeastern Ohio Excavating and Drainage Company of Summit County, LLC',
  isIndividual: false,
  firstName: '',
  lastName: '',
  taxId: '98-7656621',
  taxIdKind: 'ein',
  address: { ...address, address1: '4 Copley Rd, Unit #2' },
  accountNumber: 'V-17',
  amount: cents(844_000),
  withheld: ZERO,
};
const person: IrisForm = {
  ...business,
  name: 'Joan Kessler',
  isIndividual: true,
  firstName: 'Joan',
  lastName: 'Kessler',
  taxId: '123-45-0918',
  taxIdKind: 'ssn',
  withheld: cents(33_840),
};
const cellsOf = (file: string | undefined) =>
  (file ?? '')
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));

test("the IRS file has the template's 54 columns in order", () => {
  expect(IRIS_NEC_COLUMNS).toHaveLength(54);
  expect(new Set(IRIS_NEC_COLUMNS).size).toBe(54);
  const [file] = irisFiles(payer, [business, person], 2026);
  const [titles, first, second] = cellsOf(file);
  expect(titles).toEqual(IRIS_NEC_COLUMNS);
  expect([first?.length, second?.length]).toEqual([54, 54]);
  const named = (cells: string[] | undefined) => {
    const filled = IRIS_NEC_COLUMNS.map((title, at) => [title, cells?.[at] ?? ''] as const);
    return Object.fromEntries(filled.filter(([, cell]) => cell !== ''));
  };
  expect(named(first)).toEqual({
    'Form Type': '1099-NEC',
    'Tax Year': '2026',
    'Payer TIN Type': 'EIN',
    'Payer Taxpayer ID Number': '341234567',
    'Payer Name Type': 'B',
    'Payer Business or Entity Name Line 1': 'Cedar & Stone Landscaping Inc',
    'Payer Country': 'US',
    'Payer Address Line 1': '88 Fairlawn Heights Dr',
    'Payer City/Town': 'Akron',
    'Payer State/Province/Territory': 'OH',
    'Payer ZIP/Postal Code': '443331020',
    'Payer Phone Type': 'D',
    'Payer Phone': '3305550123',
    'Recipient TIN Type': 'EIN',
    'Recipient Taxpayer ID Number': '987656621',
    'Recipient Name Type': 'B',
    'Recipient Business or Entity Name Line 1': 'The Northeastern Ohio Excavating and',
    'Recipient Business or Entity Name Line 2': 'Drainage Company of Summit County LLC',
    'Recipient Country': 'US',
    'Recipient Address Line 1': '4 Copley Rd Unit #2',
    'Recipient City/Town': 'Akron',
    'Recipient State/Province/Territory': 'OH',
    'Recipient ZIP/Postal Code': '443331020',
    'Form Account Number': 'V-17',
    '2nd TIN Notice': 'N',
    'Box 1 - Nonemployee Compensation': '8440.00',
    'Box 2 - Payer made direct sales totaling $5000 or more of consumer products to a recipient for resale': 'N',
  });
  expect(named(second)).toMatchObject({
    'Recipient TIN Type': 'SSN',
    'Recipient Taxpayer ID Number': '123450918',
    'Recipient Name Type': 'I',
    'Recipient First Name': 'Joan',
    'Recipient Last Name (Surname)': 'Kessler',
    'Box 4 - Federal income tax withheld': '338.40',
  });
});

test.each([
  [0, []],
  [1, [1]],
  [100, [100]],
  [101, [100, 1]],
  [250, [100, 100, 50]],
])('%i 1099 forms are split into files of %j', (count, sizes) => {
  const files = irisFiles(
    payer,
    Array.from({ length: count }, () => business),
    2026,
  );
  expect(files.map((file) => cellsOf(file).length - 1)).toEqual(sizes);
});

it('a person’s full name is split into parts, and a long word is split after 40 characters', () => {
  const [file] = irisFiles(
    payer,
    [
      { ...person, name: 'José de la Cruz', firstName: '', lastName: '' },
      { ...business, name: 'A'.repeat(100) },
    ],
    2026,
  );
  const [, first, second] = cellsOf(file);
  expect(first?.slice(22, 29)).toEqual(['I', '', '', 'Jose de la', '', 'Cruz', '']);
  expect(second?.slice(22, 25)).toEqual(['B', 'A'.repeat(40), 'A'.repeat(40)]);
});

it('a name that a spreadsheet would run as a formula remains text', () => {
  expect(irisText('=HYPERLINK("x")+1')).toBe('HYPERLINK( x ) 1');
  expect(irisText(' -@SUM(A1), “Bäcker” ')).toBe('SUM(A1) Backer');
});
