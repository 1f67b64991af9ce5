import type { DocumentKind } from './kind.ts';

export const writeoff = {
  source: 'writeoff',
  label: 'Write-off',
  words: { title: 'Write-off', indefinite: 'a write-off', many: 'write-offs' },
  records: 'document',
  side: 'receivable',
  sells: false,
  firstNumber: 101,
  prefix: 'WO-',
  waives: true,
  path: '/writeoff/{id}',
  area: 'Billing',
  audit: { title: 'writeOffNumber', amount: 'amount' },
  search: { number: 16, name: 'Write-Off', group: 'Write-Offs', icon: 'ReceiptOff', words: 'write-off' },
  screen: { path: '/billing', key: 'writtenoff', state: 'writeOffId' },
} as const satisfies DocumentKind;
