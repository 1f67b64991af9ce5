import type { FormConsent, FormPayment, FormYear, VendorYear } from '@evenkeel/contract/forms1099';
import { type DateRange, isoDate, partsOf } from '@evenkeel/core/dates';
import { UNITED_STATES } from '@evenkeel/core/geography.data';
import { isEmailAddress } from '@evenkeel/core/email';
import { addressLines, placeOf } from '@evenkeel/core/entities';
import { notFound } from '@evenkeel/core/failure';
import { type Cents, cents, sum, ZERO } from '@evenkeel/core/money';
import {
  type BoxAmount,
  filledBoxes,
  type FormAddress,
  formDueDate,
  type FormFact,
  isWholeAddress,
  missingFacts,
  placeOfPart,
  reportable,
  type VendorForm,
  vendorForms,
} from '@evenkeel/core/taxes/forms1099';
import { consentState, copyEnd } from '@evenkeel/core/taxes/copies';
import { IRIS_ROWS } from '@evenkeel/core/taxes/iris';
import type { FormId } from '@evenkeel/core/taxes/ids';
import { federalRule, type LawRule } from '@evenkeel/core/taxes/law';
import { sql } from 'kysely';
import { mailingAddress } from '../../books/parties.ts';
import { lawRules } from '../../books/tax-rules.ts';
import { getCompany } from '../../features/settings/company.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { shownDetails } from '../../features/settings/entity-details.ts';
import { todayIn } from '../../platform/clock.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { NO_PAYER } from './form-settings.ts';
import {
  boxAccounts,
  type ConsentRow,
  consents,
  copiesSql,
  type CopyRow,
  filedForms,
  type FiledRow,
  filedYearsSql,
  type FormSnapshot,
  type ListedVendor,
  listedVendorsSql,
  MOST_PAYMENTS,
  paidPartsSql,
  type PayerRow,
  payers,
  vendorPaymentsSql,
} from './forms.sql.ts';
import { getVendorTax } from './vendor-tax.ts';

/** The first year of Form 1099-NEC. */
const FIRST_YEAR = 2020;

/** A form based on the current books. */
export interface CurrentForm {
  vendorId: number;
  form: FormId;
  /** Undefined for a filed form if its vendor is no longer listed. */
  vendor: ListedVendor | undefined;
  current: VendorForm | undefined;
  /** The boxes that would be filed today. */
  boxes: BoxAmount[];
  withheld: Cents;
  missing: FormFact[];
  status: FormYear['rows'][number]['status'];
  /** The filed versions, oldest first. */
  filed: readonly FiledRow[];
}

/** The consents by vendor and the copies by form, with dates in the company's time zone. */
interface Delivery {
  consents: ReadonlyMap<number, FormYear['rows'][number]['consent']>;
  copies: ReadonlyMap<number, CopyRow>;
}

/** The company as the payer. */
export interface Payer {
  name: string;
  lines: string[];
  address: FormAddress | null;
  phone: string;
  row: PayerRow;
  missing: FormYear['payerMissing'];
}

const yearRange = (year: number): DateRange => ({ from: isoDate(`${year}-01-01`), to: isoDate(`${year}-12-31`) });

/** Returns the company's details for its forms. */
export async function readPayer(ctx: Ctx): Promise<Payer> {
  const [company, row] = [await getCompany(ctx, ctx.companyId), (await ctx.tx.row(payers.find({}))) ?? NO_PAYER];
  const { address, lines } = addressFacts(company.addresses);
  const missing: Payer['missing'] = [
    ...(row.taxIdBox === null ? (['taxId'] as const) : []),
    ...(isWholeAddress(address) ? [] : (['address'] as const)),
    ...(company.phone.trim() === '' ? (['phone'] as const) : []),
  ];
  return { name: company.name || company.displayname, lines, address, phone: company.phone, row, missing };
}

type Addresses = Parameters<typeof addressLines>[0] & { addressType: number };

/** Returns the mailing address, both in the fields of a form (null outside the United States) and as lines. */
function addressFacts(addresses: readonly Addresses[]): { address: FormAddress | null; lines: string[] } {
  const address = mailingAddress(addresses) ?? addresses[0];
  if (address === undefined) return { address: null, lines: [] };
  const { countryId, ...place } = placeOf(address);
  const { zipCode, plusFour } = address;
  return {
    address: countryId === UNITED_STATES ? { ...place, zipCode: [zipCode, plusFour].filter(Boolean).join('-') } : null,
    lines: addressLines(address),
  };
}

/** Returns the recipient of a form as it would be filed today. */
export function recipientOf(vendor: ListedVendor): FormSnapshot['recipient'] | undefined {
  const { address, lines } = addressFacts(shownDetails(vendor.details).addresses);
  if (vendor.classification === null || vendor.taxIdKind === null || address === null) return undefined;
  const person = vendor.isIndividual ? shownDetails(vendor.details).contacts[0]?.contact : undefined;
  return {
    name: vendor.name,
    lines,
    taxIdEnd: vendor.taxIdEnd,
    taxIdKind: vendor.taxIdKind,
    isIndividual: vendor.isIndividual,
    firstName: person?.firstName ?? '',
    lastName: person?.lastName ?? '',
    accountNumber: vendor.accountNumber,
    classification: vendor.classification,
    address,
  };
}

/** Returns the address for emails to a vendor: the primary contact's, or the vendor's own if the contact has none. */
const emailOf = ({ details, emailAddress }: ListedVendor): string =>
  shownDetails(details).primaryContactEmail || emailAddress;

interface YearForms {
  forms: CurrentForm[];
  /** The number of accounts that are assigned to a box on a form. */
  boxCount: number;
  rules: readonly LawRule[];
}

/** Returns a year's forms: those based on the current books, and the filed ones. */
export async function readForms(ctx: Ctx, year: number): Promise<YearForms> {
  const [rules, vendors, parts, boxes, filed] = await Promise.all([
    lawRules(ctx),
    ctx.tx.rows(listedVendorsSql()),
    ctx.tx.rows(paidPartsSql(yearRange(year))),
    ctx.tx.rows(boxAccounts.find({})),
    ctx.tx.rows(filedForms.find({ year }, { orderBy: sql`entity_id, form, version` })),
  ]);
  const ask = {
    boxes: new Map(boxes.map(({ accountId, box }) => [accountId, box])),
    rules,
    year,
  };
  const byVendor = new Map(vendors.map((vendor) => [vendor.id, vendor]));
  const current = vendorForms(parts, ask).filter(({ vendorId }) => byVendor.has(vendorId));
  const keyOf = ({ vendorId, form }: Pick<CurrentForm, 'vendorId' | 'form'>) => `${vendorId} ${form}`;
  const now = new Map(current.map((form) => [keyOf(form), form]));
  const versions = new Map<string, FiledRow[]>();
  for (const row of filed) versions.set(keyOf(row), [...(versions.get(keyOf(row)) ?? []), row]);
  const keys = new Map([...current, ...filed].map((form) => [keyOf(form), form]));
  const forms = [...keys].map(([key, { vendorId, form }]): CurrentForm => {
    const own = now.get(key);
    const vendor = byVendor.get(vendorId);
    const facts = {
      vendorId,
      form,
      vendor,
      current: own,
      boxes: own === undefined ? [] : filledBoxes(own),
      withheld: own?.isDue === true ? own.withheld : ZERO,
      missing:
        vendor === undefined
          ? []
          : missingFacts({ ...vendor, address: addressFacts(shownDetails(vendor.details).addresses).address }),
      filed: versions.get(key) ?? [],
    };
    return { ...facts, status: statusOf(facts) };
  });
  const nameOf = ({ vendor, filed: all }: CurrentForm) =>
    (vendor?.displayname ?? all.at(-1)?.snapshot.recipient.name ?? '').toLowerCase();
  return {
    forms: forms.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)) || a.form.localeCompare(b.form) * -1),
    boxCount: boxes.length,
    rules,
  };
}

function statusOf(form: Omit<CurrentForm, 'status'>): CurrentForm['status'] {
  const { current, filed, missing } = form;
  const last = filed.at(-1);
  if (last !== undefined) return isChanged(form, last) ? 'changed' : 'filed';
  if (current?.isDue === true) return missing.length === 0 ? 'ready' : 'missing';
  return current !== undefined && current.boxes.length === 0 ? 'noBox' : 'below';
}

/** Returns whether the books differ from a filed form in an amount, the name, the tax ID, or the address. */
function isChanged({ boxes, withheld, vendor }: Omit<CurrentForm, 'status'>, last: FiledRow): boolean {
  const facts = (recipient: FormSnapshot['recipient']) =>
    JSON.stringify([recipient.name, recipient.lines, recipient.taxIdKind, recipient.taxIdEnd]);
  const amounts = (some: FormSnapshot['boxes']) => JSON.stringify(some.map(({ box, amount }) => [box, amount]));
  const recipient = vendor && recipientOf(vendor);
  return (
    withheld !== last.withheld ||
    amounts(boxes) !== amounts(last.snapshot.boxes) ||
    (recipient !== undefined && facts(recipient) !== facts(last.snapshot.recipient))
  );
}

/** Returns a year's 1099 forms with their amounts. The default is the current year. */
export async function listForms(ctx: Ctx, asked: number | undefined): Promise<FormYear> {
  const thisYear = partsOf(ctx.today).year;
  const year = Math.min(Math.max(asked ?? thisYear, FIRST_YEAR), thisYear);
  const { forms, boxCount, rules } = await readForms(ctx, year);
  const [payer, filedYears, delivery] = [
    await readPayer(ctx),
    await ctx.tx.rows(filedYearsSql()),
    await readDelivery(ctx, year, forms),
  ];
  const years = new Set([thisYear, thisYear - 1, thisYear - 2, year, ...filedYears.map((each) => each.year)]);
  const count = (...statuses: CurrentForm['status'][]) =>
    forms.filter(({ status }) => statuses.includes(status)).length;
  const { value: usual, source, isStated } = federalRule(rules, { topic: 'threshold', form: 'misc1', year });
  const filed = count('filed', 'changed');
  return {
    year,
    years: [...years].filter((each) => each >= FIRST_YEAR && each <= thisYear).toSorted((a, b) => b - a),
    rows: forms.map((form) => rowOf(form, delivery)),
    figures: {
      due: count('ready', 'missing') + filed,
      ready: count('ready'),
      missing: count('missing'),
      filed,
      below: count('below', 'noBox'),
    },
    dueDate: formDueDate(rules, 'nec', year),
    miscDueDate: formDueDate(rules, 'misc', year),
    threshold: { amount: usual.threshold, source, isStated },
    withholdingPercent: federalRule(rules, { topic: 'withholding', year }).value.percent.toString(),
    payerMissing: payer.missing,
    boxAccounts: boxCount,
    irisFiles: Math.ceil(forms.filter(isExported).length / IRIS_ROWS),
  };
}

/** Returns whether a form is in the files for the IRS: a 1099-NEC that is either ready or already filed. */
export const isExported = ({ form, status }: Pick<CurrentForm, 'form' | 'status'>): boolean =>
  form === 'nec' && (status === 'ready' || status === 'filed' || status === 'changed');

async function readDelivery(ctx: Ctx, year: number, forms: readonly CurrentForm[]): Promise<Delivery> {
  const vendorIds = new Set(forms.map(({ vendorId }) => vendorId));
  const [rows, copies, { timeZone }] = await Promise.all([
    ctx.tx.rows(consents.find({ vendorId: [...vendorIds] })),
    ctx.tx.rows(copiesSql({ year })),
    ctx.tx.one(zoneSql()),
  ]);
  return {
    consents: new Map(rows.map((row) => [row.vendorId, shownConsent(row, timeZone)])),
    copies: new Map(copies.map((copy) => [copy.formId, copy])),
  };
}

type Copy = NonNullable<FormYear['rows'][number]['copy']>;

const NO_CONSENT = { state: 'none', date: null, requests: 0 } as const;

/** Returns the state of a consent with the day of its last change in the company's time zone. */
export function shownConsent(
  row: ConsentRow | undefined,
  timeZone: string,
): Pick<FormConsent, 'state' | 'date' | 'requests'> {
  if (row === undefined) return NO_CONSENT;
  const date = todayIn(timeZone, row.withdrawnAt ?? row.consentedAt ?? row.requestedAt);
  return { state: consentState(row), date, requests: row.requests };
}

function shownCopy(form: FiledRow, { sent, state, sentOn, openedOn, postedOn }: CopyRow): Copy {
  return { sent, state, sentOn, openedOn, endsOn: copyEnd(form, postedOn) };
}

function rowOf(
  { vendorId, form, vendor, current, status, missing, filed }: CurrentForm,
  { consents: all, copies }: Delivery,
): FormYear['rows'][number] {
  const last = filed.at(-1);
  const copy = last && copies.get(last.id);
  const { byCard, noBox, withheld, boxes } = current ?? { byCard: ZERO, noBox: ZERO, withheld: ZERO, boxes: [] };
  const total = reportable({ boxes });
  return {
    vendorId,
    vendorName: vendor?.displayname ?? last?.snapshot.recipient.name ?? '',
    form,
    taxIdEnd: vendor?.taxIdEnd ?? last?.snapshot.recipient.taxIdEnd ?? '',
    boxes: [...boxes],
    paid: cents(total + byCard + noBox),
    byCard,
    noBox,
    reportable: total,
    withheld,
    status,
    missing,
    filed: last === undefined ? null : { id: last.id, version: last.version, filedDate: last.filedDate },
    hasEmail: vendor !== undefined && isEmailAddress(emailOf(vendor)),
    consent: all.get(vendorId) ?? NO_CONSENT,
    copy: last === undefined || copy === undefined ? null : shownCopy(last, copy),
  };
}

/**
 * Returns a vendor's payments in a year, and the reasons why some are not reported. Throws 404 if the vendor does not
 * exist.
 */
export async function listFormPayments(
  ctx: Ctx,
  vendorId: number,
  year = partsOf(ctx.today).year,
): Promise<VendorYear> {
  await getVendorTax(ctx, vendorId);
  const [rows, saved] = await Promise.all([
    ctx.tx.rows(vendorPaymentsSql(yearRange(year), vendorId)),
    ctx.tx.rows(boxAccounts.find({})),
  ]);
  const boxes = new Map(saved.map(({ accountId, box }) => [accountId, box]));
  const payments = rows.slice(0, MOST_PAYMENTS).map(({ date, kind, id, label, accountName, amount, ...part }) => {
    const place: Pick<FormPayment, 'box' | 'isWithheld' | 'reason'> = placeOfPart(part, boxes);
    return { date, kind, id, label, accountName, amount, ...place };
  });
  return { payments, more: rows.length - payments.length };
}

/** Returns a filed form, and whether it is the latest version. Throws 404 if the form does not exist. */
export async function filedForm(ctx: Ctx, id: number): Promise<{ row: FiledRow; isLast: boolean }> {
  const row = await ctx.tx.row(filedForms.find({ id }));
  if (row === undefined) throw notFound('1099 form');
  const { vendorId, year, form } = row;
  const versions = await ctx.tx.rows(filedForms.find({ vendorId, year, form }));
  return { row, isLast: versions.every(({ version }) => version <= row.version) };
}

/** Returns the total of a form's boxes. */
export const boxTotal = (boxes: readonly { amount: Cents }[]): Cents => sum(boxes.map(({ amount }) => amount));
