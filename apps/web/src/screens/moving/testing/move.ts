/** An import in the API's format, for tests: two accounts to confirm, and a question about a customer. */

export const file = (id: number, name: string, found: object = {}) => ({
  id,
  name,
  size: 18_000,
  sha256: `9f2c41d8${'0'.repeat(48)}7be0a113`,
  uploadedAt: '2026-06-11T21:04:00Z',
  state: 'recognized',
  format: 'qbo-journal',
  label: 'QuickBooks Online Journal',
  company: 'Fairmount Cycle Works',
  from: '2024-01-02',
  to: '2026-06-11',
  basis: 'accrual',
  counts: { accounts: 0, parties: 0, items: 0, transactions: 14_372, documents: 0 },
  questions: [],
  sheet: null,
  warnings: [],
  refusal: null,
  ...found,
});

const suggested = (reason: string, accountId: number | null, create: object | null = null) => ({
  suggestion: { reason, accountId, create },
  choice: null,
  confirmed: reason !== 'similarName' && reason !== 'unknownType',
});

export const account = (name: string, type: string | null, balance: number, match: object) => ({
  key: name,
  number: '',
  name,
  sourceType: type ?? '',
  type,
  active: true,
  lines: 12,
  balance,
  isBank: false,
  reconciled: null,
  ...match,
});

const side = (name: string, row: number) => ({
  key: name,
  entityId: 0,
  name,
  email: 'orders@marlow.example',
  phone: '',
  file: 'Customers.csv',
  row,
  transactions: 4,
  balance: 412.6,
});

export const QUESTION = {
  key: 'Marlow Outdoor',
  kind: 'customer',
  reason: 'Same email and phone',
  source: side('Marlow Outdoor', 214),
  other: side('Marlow Outdoor, LLC', 215),
  answer: null,
};

const GIFT_CARDS = { number: '2250', name: 'Gift Cards', type: 'Other Current Liability' };

export const move = (found: object = {}) => ({
  id: 7,
  rowVersion: 3,
  status: 'ready',
  system: 'QuickBooks Online',
  createdBy: { id: 1, name: 'Dana Okafor' },
  createdAt: '2026-06-12T18:00:00Z',
  files: [file(1, 'Journal.xlsx')],
  missing: [],
  refusals: [],
  warnings: [],
  company: 'Fairmount Cycle Works',
  from: '2024-01-02',
  to: '2026-06-11',
  basis: 'accrual',
  transactions: 14_372,
  fyStartMonth: 1,
  history: { from: null },
  suggestedFrom: '2026-01-01',
  transactionsSince: 3118,
  debits: 300,
  accounts: [
    account('Checking', 'Checking', 100, suggested('nameAndType', 101)),
    account('Shop Equipment', null, 150, suggested('unknownType', null)),
    account('Fairmount Visa', 'Credit Card', -200, suggested('similarName', 122)),
    account('Gift Cards', 'Other Current Liability', -100, suggested('none', null, GIFT_CARDS)),
    account('Old Checking', 'Checking', 50, suggested('similarName', null)),
  ],
  parties: { customers: 2, vendors: 1, toCreate: 3, balance: 412.6, questions: [QUESTION] },
  items: { total: 0, toCreate: 0 },
  lists: [],
  documents: { invoices: 0, bills: 0, credits: 0 },
  blocked: { files: '', match: '' },
  progress: null,
  preview: null,
  report: null,
  error: null,
  importedBy: null,
  importedAt: null,
  undoneBy: null,
  undoneAt: null,
  undo: null,
  ...found,
});

const proofRow = (name: string, difference = 0) => ({
  kind: 'trialBalance',
  name,
  compared: '34 accounts at 30 month ends',
  source: 336_249.23,
  ledger: 336_249.23 + difference,
  difference: Math.abs(difference),
  differing: difference === 0 ? 0 : 4,
  total: 30,
});

const month = (monthEnd: string, differing: number) => ({
  monthEnd,
  accounts: 34,
  source: 336_249.23,
  ledger: 336_249.23,
  difference: differing === 0 ? 0 : 0.1,
  differing,
});

export const result = (found: object = {}) => ({
  counts: {
    transactions: 14_372,
    accounts: 34,
    bankAccounts: 1,
    accountsCreated: 4,
    customers: 610,
    vendors: 147,
    products: 410,
    openInvoices: 23,
    unpaidBills: 11,
    credits: 0,
    known: 0,
  },
  from: '2024-01-02',
  to: '2026-06-11',
  rejected: [{ file: 'Customers.csv', row: 388, text: 'The row has no name' }],
  proved: true,
  totalDifference: 0,
  comparedAccounts: 34,
  proof: [proofRow('Trial balance')],
  months: [month('2026-06-30', 0), month('2026-05-31', 0)],
  failure: null,
  notImported: ['Attachments'],
  at: '2026-06-12T19:12:00Z',
  seconds: 41,
  ...found,
});

/** A failed proof: Repair Labor differs by 0.10 starting in March. */
export const failedResult = () =>
  result({
    proved: false,
    totalDifference: 0.2,
    proof: [proofRow('Trial balance', 1)],
    months: [month('2026-06-30', 2), month('2026-05-31', 0)],
    failure: {
      title: 'Repair Labor differs by 0.10 in June 2026',
      text: 'So does its other side, Accounts Receivable. The other 32 accounts agree.',
      accounts: [
        {
          key: 'Repair Labor',
          number: '4050',
          name: 'Repair Labor',
          lastAgreeing: '2026-05-31',
          monthEnd: '2026-06-30',
          source: -12_431.18,
          ledger: -12_431.08,
          difference: 0.1,
          differenceAtEnd: 0.1,
        },
      ],
      parties: [],
      otherAccounts: 32,
      candidates: [
        {
          title: 'Invoice 20871 was changed after the Journal was exported',
          text: 'Open Invoices has 65.00 for the same invoice.',
          exact: true,
          replaceFileId: 1,
          rows: [
            {
              file: 'Journal.xlsx',
              row: 18_342,
              date: '2026-06-14',
              type: 'Invoice',
              number: '20871',
              party: '',
              account: 'Repair Labor',
              amount: 64.9,
              marked: true,
            },
          ],
        },
      ],
    },
  });
