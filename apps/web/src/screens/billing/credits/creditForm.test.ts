import { BillingInvoice } from '@evenkeel/contract/billing';
import { BillingCredit, creditCalls } from '@evenkeel/contract/credits';
import { decode, encode } from '@evenkeel/contract/wire';
import { isoDate } from '@evenkeel/core/dates';
import { PERCENTAGE } from '@evenkeel/core/documents/discounts';
import type { PricedInvoice } from '@evenkeel/core/documents/invoice';
import { pricePart, type Whole } from '@evenkeel/core/documents/parts';
import { cents, decimal, sum, toDecimal } from '@evenkeel/core/money';
import { expect, it } from 'vitest';
import { invoicingTotals } from '../estimates/estimateForm.ts';
import { wireInvoice } from '../testing/answers.tsx';
import { originForm, originOf, originTotals } from './creditForm.ts';

const TODAY = isoDate('2026-05-26');
const OFFERS = [{ id: 24, isProduct: true, productServiceType: 1, productCategoryID: null }];
const terms = {
  discountType: PERCENTAGE,
  discountTypeTarget: 1,
  productCategoryID: null,
  discountPercentage: 7,
  discountFlatValue: 0,
  base: 0.5,
};
const none = { productId: null, productName: null, isProduct: false, isProductLine: false };
const line = (id: number, change: object) => ({ ...wireInvoice().lineItems[0], id, quantity: 1, ...change });

/** Returns an invoice for 0.50 less a 7% discount, plus 31.79, both taxed at 6%. `open` is the unpaid amount. */
const invoiceOf = (open: number) =>
  decode(
    BillingInvoice,
    wireInvoice({
      lineItems: [
        line(1, { productId: 24, itemPrice: 0.5, lineItemAmount: 0.5, taxable: true }),
        line(2, { ...none, itemPrice: 31.79, lineItemAmount: 31.79, taxable: true }),
        line(3, { ...none, discountId: 9, itemPrice: -0.04, lineItemAmount: -0.04, discountTerms: terms }),
      ],
      taxItems: [{ id: 1, label: 'Tax', salesTaxType: 0, percentage: 6, total: 1.94 }],
      salesTaxAmount: 1.94,
      invoiceAmount: 34.19,
      openAmount: open,
    }),
  );

/** The lines as the server prices them. */
function posted(invoice: BillingInvoice, third: string, parts: Whole): PricedInvoice {
  const quantity = decimal(third);
  return pricePart(
    invoice.lineItems.map(({ id, itemPrice, taxable, discountTerms, productId }) => {
      const product = OFFERS.find((offer) => offer.id === productId);
      return {
        of: id,
        itemPrice: toDecimal(itemPrice),
        quantity,
        taxable,
        product,
        discount: discountTerms ?? undefined,
      };
    }),
    invoice.taxItems,
    parts,
  );
}

/** Returns the invoice with the quantities and amounts that the given credits use up. */
function partsOf({ lineItems, taxItems }: BillingInvoice, parts: readonly PricedInvoice[]): Whole {
  return {
    lines: lineItems.map(({ id, quantity, lineItemAmount: amount, discountTerms }, at) => ({
      id,
      quantity,
      amount,
      discountType: discountTerms?.discountType ?? null,
      taken: {
        quantity: parts.reduce((all, { lines }) => all.plus(lines[at]?.quantity ?? 0), decimal(0)),
        amount: sum(parts.flatMap(({ lines }) => lines[at]?.lineItemAmount ?? [])),
      },
    })),
    taxItems,
    taken: {
      count: parts.length,
      hasOtherLines: false,
      taxItems: taxItems.map(({ id }, at) => {
        return { id, total: sum(parts.map(({ taxItems: items }) => items[at]?.total ?? cents(0))) };
      }),
    },
  };
}

/** Returns the credited amounts in the format that the form receives. */
const received = (invoiceId: number, parts: Whole) => {
  const { reply } = creditCalls.creditable;
  const lines = parts.lines.map((each) => ({ ...each, discountType: each.discountType ?? null }));
  const sent = { invoiceId, lines: [], parts: { ...parts, lines } };
  return decode(reply, encode(reply, sent as never));
};

it('if a document is credited or invoiced in three parts, the totals equal the posted totals', () => {
  const invoice = invoiceOf(34.19);
  const done: PricedInvoice[] = [];
  for (const third of ['0.333333', '0.333333', '0.333334']) {
    const creditable = received(invoice.id, partsOf(invoice, done));
    const origin = originOf(invoice, creditable, undefined);
    const form = originForm(origin, TODAY);
    form.lines = form.lines.map((each) => (each.lineId === 3 ? each : { ...each, quantity: Number(third) }));
    const expected = posted(invoice, third, creditable.parts);
    const amounts = expected.lines.map(({ lineItemAmount }) => lineItemAmount);
    const totals = originTotals(form, origin, OFFERS);
    expect(totals).toMatchObject({ credit: expected.invoiceAmount, priced: { taxItems: expected.taxItems } });
    expect([...totals.amounts.values()]).toEqual(amounts);
    expect(totals.subtotal).toBe(sum(amounts));
    const ground = { lines: origin.lines, rates: invoice.taxItems, offers: OFFERS, whole: creditable.parts };
    const estimate = invoicingTotals({ ...form, dueDate: null }, ground);
    expect(estimate.priced?.invoiceAmount).toBe(expected.invoiceAmount);
    done.push(expected);
  }
  expect(done.map(({ invoiceAmount }) => invoiceAmount)).toEqual([1141, 1141, 1137]);
});

it('a percentage discount on a paid invoice changes with the credited lines until the memo is applied', () => {
  const paid = invoiceOf(0);
  const creditable = received(paid.id, partsOf(paid, []));
  const origin = originOf(paid, creditable, undefined);
  const form = originForm(origin, TODAY);
  form.lines = form.lines.map((each) => ({ ...each, isIn: each.lineId !== 2 }));
  expect([...originTotals(form, origin, OFFERS).amounts.values()]).toEqual([50, -4]);
  form.lines = form.lines.map((each) => ({ ...each, quantity: each.lineId === 3 ? 1 : 0.5 }));
  expect([...originTotals(form, origin, OFFERS).amounts.values()]).toEqual([25, -2]);
  const wire = encode(BillingInvoice, paid) as { lineItems: object[] };
  const lineItems = wire.lineItems.map((each, at) => ({ ...each, id: 11 + at, creditedLineId: 1 + at }));
  const applied = { ...wire, lineItems, id: 70, creditedInvoiceId: paid.id, reason: '', invoiceAmount: -34.19 };
  const memo = decode(BillingCredit, applied);
  const edited = originOf(paid, creditable, memo);
  const again = { ...originForm(edited, TODAY), lines: form.lines };
  expect([...originTotals(again, edited, OFFERS).amounts.values()]).toEqual([25, -4]);
});
