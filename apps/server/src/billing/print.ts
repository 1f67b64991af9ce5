import type { BillingInvoice } from '@evenkeel/contract/billing';
import type { Entity } from '@evenkeel/contract/entities';
import type { Company } from '@evenkeel/contract/settings';
import { PERCENTAGE } from '@evenkeel/core/discounts';
import { paidSoFar, posts } from '@evenkeel/core/invoice';
import { type Cents, type Decimal, decimal, formatAmount, sum, toCents } from '@evenkeel/core/money';
import { customers, getEntity } from '../entities/entities.ts';
import { billingAddress, companyLines } from '../entities/letterhead.ts';
import type { Ctx } from '../http/context.ts';
import type { Drawing } from '../http/route.ts';
import type { InvoicePaper } from '../pdf/invoice.ts';
import { printer } from '../pdf/printer.ts';
import type { Picture } from '../pdf/picture.ts';
import { getCompany } from '../settings/company.ts';
import { logoPicture } from '../settings/logo.ts';
import { invoices } from './invoices.ts';

/** The invoice as a letter-size PDF, to be drawn after the transaction. 404 when there is none. */
export async function printInvoice(ctx: Ctx, id: number): Promise<Drawing> {
  const paper = await invoicePaper(ctx, id);
  return () => printer.invoice(paper);
}

/**
 * The content of the printed invoice: the company's mailing address, the customer's billing address, lines and sums.
 */
export async function invoicePaper(ctx: Ctx, id: number): Promise<InvoicePaper> {
  const invoice = await invoices.get(ctx, id);
  const [company, customer] = await Promise.all([getCompany(ctx), getEntity(ctx, customers, invoice.customerId)]);
  return paperOf({ invoice, company, customer, logo: await logoPicture(ctx, company.logo) });
}

interface Printed {
  invoice: BillingInvoice;
  company: Company;
  customer: Entity;
  logo: Picture | undefined;
}

function paperOf({ invoice, company, customer, logo }: Printed): InvoicePaper {
  const { invoiceNumber, invoiceDate, dueDate, invoiceAmount, openAmount, arBillingStatus: status } = invoice;
  return {
    company: { name: company.displayname, lines: companyLines(company), ...(logo === undefined ? {} : { logo }) },
    billTo: [customer.displayname, ...billingAddress(customer)],
    invoiceNumber,
    invoiceDate,
    dueDate,
    ...(posts(status) ? {} : { status: invoice.badge }),
    lines: invoice.lineItems.map(lineOf),
    subtotal: sum(invoice.lineItems.map((line) => line.lineItemAmount)),
    taxes: invoice.taxItems.map((item) => ({ label: taxLabel(item, taxableAmount(invoice)), amount: item.total })),
    total: invoiceAmount,
    paid: paidSoFar({ status, invoiceAmount, openAmount }),
    balanceDue: openAmount,
    footer: company.displayname,
  };
}

function lineOf(line: BillingInvoice['lineItems'][number]): InvoicePaper['lines'][number] {
  const name = line.productName ?? '';
  return {
    serviceDate: line.serviceDate,
    name,
    description: line.description === name ? '' : line.description,
    // A percentage has neither: its amount says it all.
    ...(line.discountTerms?.discountType === PERCENTAGE
      ? { quantity: null, price: null }
      : { quantity: line.quantity.toString(), price: line.itemPrice }),
    amount: line.lineItemAmount,
    taxable: line.taxable,
    ...(line.packageParts === null ? {} : { parts: line.packageParts.map((part) => partOf(part, line.quantity)) }),
  };
}

/** A part of so many packages: "2 × Mulch", a discount by its name alone. */
function partOf({ productID, name, quantity, amount }: LinePart, packages: Decimal) {
  return { text: productID === null ? name : `${quantity.times(packages).toString()} × ${name}`, amount };
}

type LinePart = NonNullable<BillingInvoice['lineItems'][number]['packageParts']>[number];

/** The taxed amount, from the lines' taxes: a package may be taxed in part, and a discount reduces it. */
function taxableAmount({ lineItems, taxItems }: BillingInvoice): Cents {
  const percentage = taxItems.reduce((all, item) => all.plus(item.percentage), decimal(0));
  if (percentage.eq(0)) return sum(lineItems.filter((line) => line.taxable).map((line) => line.lineItemAmount));
  const tax = lineItems.reduce((all, line) => all.plus(line.lineItemTax), decimal(0));
  return toCents(tax.times(100).div(percentage));
}

function taxLabel(item: BillingInvoice['taxItems'][number], taxable: Cents): string {
  return taxable === 0 ? item.label : `${item.label} ${item.percentage.toString()}% of ${formatAmount(taxable)}`;
}
