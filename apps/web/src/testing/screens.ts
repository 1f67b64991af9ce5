import { reportKinds } from '@evenkeel/core/reports/kinds';
import { privateRoutes } from '../app/routes.tsx';

/** Every private screen, as the route table has them, and all that an address opens on it. */

/** Path of each private screen. */
export const screenPaths: readonly string[] = privateRoutes.flatMap(({ children = [] }) =>
  children.map(({ path = '/' }) => path.replace(/\/:.*/, '')),
);

const SAVED = ['1'];
const NEW_OR_SAVED = ['0', '1'];

/**
 * Values that open something, by the name that a screen asks the address for, or by its path and that name. A screen
 * that asks for a name which stands neither here nor among LOOKS fails its test: say here what it opens.
 */
const OPENS: Readonly<Record<string, readonly string[]>> = {
  account: SAVED,
  category: NEW_OR_SAVED,
  company: SAVED,
  customer: SAVED,
  discount: NEW_OR_SAVED,
  edit: NEW_OR_SAVED,
  entry: SAVED,
  '/ figure': ['revenue.total'],
  '/billing figure': ['openAmount'],
  '/expenses figure': ['invoiceAmount'],
  '/customers figure': ['balance-1', 'balances'],
  '/vendors figure': ['balance-1', 'balances'],
  '/reports figure': ['1 Total 1'],
  financial: SAVED,
  invoice: SAVED,
  journal: ['n0', 'd1', 'c1'],
  package: NEW_OR_SAVED,
  panel: ['ledger'],
  pay: ['i1', 'e1', 'p1'],
  payment: SAVED,
  paymenttype: NEW_OR_SAVED,
  product: NEW_OR_SAVED,
  property0: SAVED,
  property1: SAVED,
  property2: SAVED,
  report: [`${reportKinds.profitAndLoss.id}_8_2026-01-01_2026-12-31_0_0_0`],
  salestax: SAVED,
  saved: SAVED,
  '/billing tab': ['history'],
  '/customers tab': ['invoices'],
  '/products tab': ['discounts', 'packages', 'categories'],
  '/vendors tab': ['invoices'],
  vendor: SAVED,
};

/** Names that only change how a record looks: they add no read. */
const LOOKS = ['q', 'sort', 'from', 'to', 'reversed', 'show', 'active'];

/** The addresses one step further than this one, by a name that its screen has asked for. */
export function openedFrom(address: string, name: string): string[] {
  const [path = '', search = ''] = address.split('?');
  const values = OPENS[`${path} ${name}`] ?? OPENS[name];
  if (values === undefined && !LOOKS.includes(name)) throw new Error(`${path} asks the address for ${name}`);
  const query = [...new URLSearchParams(search)];
  return (values ?? []).map((value) => `${path}?${String(new URLSearchParams([...query, [name, value]]))}`);
}
