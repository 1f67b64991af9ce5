import { chargeCalls } from '@evenkeel/contract/charges';
import type { TestApp } from '../../../testing/app.ts';
import type { WorldCompany } from '../../../testing/world.ts';

/** An API call. */
export interface Command {
  method: 'POST' | 'PUT' | 'DELETE';
  url: string;
  body?: object;
}

/** The billing records that the commands share, other than invoices and payments. */
export interface SharedSales {
  /** An estimate for a quantity of three, one of which has been invoiced. */
  estimate: number;
  estimateLine: number;
  ofEstimate: number;
  /** An estimate without an invoice. */
  offered: number;
  offeredLine: number;
  /** An unbilled work item, and the invoice for another item that was billed. */
  item: number;
  billed: number;
  /** A scheduled invoice, and the sequence number of its next date. */
  template: number;
  nextDate: number;
  /** An invoice, and a credit memo for half of it. */
  credited: number;
  ofCredited: number;
}

/** The shared records, the customer, and the first overdue invoice for 100.00. */
type Known = SharedSales & { entityId: number; first: number };

const DAY = '2026-03-10';
const line = (description: string, given: object = {}) => {
  return { description, itemPrice: 40, quantity: 1, accountId: 140, ...given };
};
const sale = (customerId: number, given: object) => ({ customerId, invoiceDate: DAY, ...given });

const item = (customerId: number, given: object = {}) => ({ customerId, serviceDate: DAY, ...line('Hour'), ...given });

const planned = ({ entityId, estimate: id, estimateLine }: Known, given: object, quantity = 3): object =>
  sale(entityId, { id, lineItems: [line('Planned', { id: estimateLine, quantity })], ...given });

const act = ({ template }: Known, body: object): Command => {
  return { method: 'PUT', url: `/api/scheduledinvoice/${template}`, body };
};

/** The billing commands that affect more than an invoice and its payments, by name. */
export const salesCommands: Readonly<Record<string, (shared: Known) => Command>> = {
  'accept estimate': (shared) => {
    return { method: 'PUT', url: '/api/billingestimate', body: planned(shared, { arBillingStatus: 13 }) };
  },
  'edit estimate': (shared) => ({ method: 'PUT', url: '/api/billingestimate', body: planned(shared, {}, 2) }),
  'invoice estimate': ({ estimate, estimateLine: estimateLineId }) => {
    const body = { invoiceDate: DAY, lines: [{ estimateLineId, quantity: 2 }] };
    return { method: 'POST', url: `/api/billingestimate/${estimate}/invoices`, body };
  },
  'invoice offered': ({ offered, offeredLine: estimateLineId }) => {
    const body = { invoiceDate: DAY, lines: [{ estimateLineId, quantity: 1 }] };
    return { method: 'POST', url: `/api/billingestimate/${offered}/invoices`, body };
  },
  'decline offered': ({ entityId, offered, offeredLine }) => {
    const lineItems = [line('Planned', { id: offeredLine })];
    const body = sale(entityId, { id: offered, arBillingStatus: 14, lineItems });
    return { method: 'PUT', url: '/api/billingestimate', body };
  },
  'delete offered': ({ offered }) => ({ method: 'DELETE', url: `/api/billingestimate/${offered}` }),
  'void invoice of estimate': ({ entityId, ofEstimate: id }) => {
    return {
      method: 'PUT',
      url: '/api/billinginvoice',
      body: sale(entityId, { id, arBillingStatus: 5, lineItems: [] }),
    };
  },
  'delete invoice of estimate': ({ ofEstimate }) => ({ method: 'DELETE', url: `/api/billinginvoice/${ofEstimate}` }),
  'process items': ({ entityId: id }) => ({
    method: 'POST',
    url: '/api/workiteminvoice',
    body: { id, invoiceDate: DAY },
  }),
  'edit item': ({ entityId, item: id }) => {
    return { method: 'PUT', url: '/api/workitems', body: item(entityId, { id, quantity: 2 }) };
  },
  'delete item': ({ item: id }) => ({ method: 'DELETE', url: `/api/workitems/${id}` }),
  'delete billed': ({ billed }) => ({ method: 'DELETE', url: `/api/billinginvoice/${billed}` }),
  'run template': (shared) => act(shared, { action: 'run', n: shared.nextDate }),
  'pause template': (shared) => act(shared, { action: 'pause' }),
  'skip template': (shared) => act(shared, { action: 'skip', n: shared.nextDate }),
  'delete template': ({ template }) => ({ method: 'DELETE', url: `/api/scheduledinvoice/${template}` }),
  charge: ({ entityId: id }) => ({ method: 'POST', url: '/api/financecharge', body: { id, date: '2026-06-30' } }),
  'send document': ({ first: invoiceId }) => {
    return { method: 'POST', url: '/api/sending', body: { invoiceId, to: ['billing@fairlawn.example'] } };
  },
  'revoke link': ({ first }) => ({ method: 'DELETE', url: `/api/documentlink/${first}` }),
  'credit the rest': ({ entityId, credited: creditedInvoiceId, ofCredited: creditedLineId }) => {
    const lineItems = [{ ...line('Back'), creditedLineId }];
    return { method: 'POST', url: '/api/billingcredit', body: sale(entityId, { creditedInvoiceId, lineItems }) };
  },
  'credited becomes less': ({ entityId, credited: id, ofCredited }) => {
    const lineItems = [line('Sold', { id: ofCredited, quantity: 1 })];
    return { method: 'PUT', url: '/api/billinginvoice', body: sale(entityId, { id, lineItems }) };
  },
  'write off credited': ({ credited: invoiceId }) => {
    return { method: 'POST', url: '/api/writeoff', body: { invoiceId, amount: 80, writeOffDate: '2026-04-02' } };
  },
};

/** Creates a company with finance charges. */
export async function companyOfSales(t: TestApp): Promise<WorldCompany> {
  const company = await t.createCompany();
  const { token } = company.administrator;
  await t.call(chargeCalls.saveFinanceChargeSettings, { token, body: { annualRate: 18 } });
  return company;
}

/** A response with the lines of the created record. */
interface Made {
  id: number;
  lineItems?: readonly { id: number }[];
  next?: readonly { n: number }[];
}

/** Creates the records that the commands share. */
export async function makeSales(
  entityId: number,
  post: (url: string, body: object) => Promise<Made>,
): Promise<SharedSales> {
  const lineOf = ({ lineItems = [] }: Made): number => lineItems[0]?.id ?? 0;
  const estimate = await post(
    '/api/billingestimate',
    sale(entityId, { lineItems: [line('Planned', { quantity: 3 })] }),
  );
  const ofEstimate = await post(`/api/billingestimate/${estimate.id}/invoices`, {
    invoiceDate: DAY,
    lines: [{ estimateLineId: lineOf(estimate), quantity: 1 }],
  });
  const offered = await post('/api/billingestimate', sale(entityId, { lineItems: [line('Planned')] }));
  await post('/api/workitems', item(entityId));
  const billed = await post('/api/workiteminvoice', { id: entityId, invoiceDate: DAY });
  const waiting = await post('/api/workitems', item(entityId));
  const rule = { unit: 'month', every: 1, start: DAY, weekday: 0, monthDay: 10, end: { kind: 'never' } };
  const document = sale(entityId, { lineItems: [line('Monthly')] });
  const template = await post('/api/scheduledinvoice', { schedule: rule, makes: 'posted', document });
  const sold = await post('/api/billinginvoice', sale(entityId, { lineItems: [line('Sold', { quantity: 2 })] }));
  return {
    estimate: estimate.id,
    estimateLine: lineOf(estimate),
    ofEstimate: ofEstimate.id,
    offered: offered.id,
    offeredLine: lineOf(offered),
    item: waiting.id,
    billed: billed.id,
    template: template.id,
    nextDate: template.next?.[0]?.n ?? 0,
    credited: sold.id,
    ofCredited: lineOf(sold),
  };
}
