import type { Transaction } from '@evenkeel/core/books/ledger';
import { addDays, type DateRange } from '@evenkeel/core/dates';
import { posts, type PricedInvoice } from '@evenkeel/core/documents/invoice';
import { conflict, refuse, refuseFields } from '@evenkeel/core/failure';
import { type Cents, cents, formatUsd, negate, sum, ZERO } from '@evenkeel/core/money';
import { periodOf } from '@evenkeel/core/taxes/due';
import {
  checkAdjustments,
  filingFault,
  postAdjustments,
  postTaxPayment,
  type Returned,
  returnedAmounts,
  type ReturnFigures,
  returnFigures,
  type TaxAmounts,
} from '@evenkeel/core/taxes/returns';
import { found } from './documents.ts';
import type { InvoiceEvent, ScenarioAgency, ScenarioEvent, TaxPaymentEvent, TaxReturnEvent } from './scenario.ts';

/** An invoice or credit memo with its amounts, which a return reports. */
interface TaxedSale {
  id: number;
  event: InvoiceEvent;
  priced: PricedInvoice;
}

interface FiledReturn extends DateRange {
  key: string;
  agency: string;
  documents: Returned[];
  figures: ReturnFigures;
}

interface PaidTax extends TaxPaymentEvent {
  isPrepaid: boolean;
}

/** The accounts that the entries for returns use, and the company's sales. */
interface Ground {
  taxAccountId: number;
  sales: readonly TaxedSale[];
}

export function isOfTaxes(event: ScenarioEvent): event is TaxReturnEvent | TaxPaymentEvent {
  return event.kind === 'return' || event.kind === 'tax-payment';
}

/** The agencies in a scenario, with their filed returns and payments. All tax belongs to the first agency. */
export class TaxBooks {
  private readonly agencies: readonly ScenarioAgency[];
  private readonly filed: FiledReturn[] = [];
  private readonly payments: PaidTax[] = [];

  private readonly ground: () => Ground;

  constructor(agencies: readonly ScenarioAgency[], ground: () => Ground) {
    this.agencies = agencies;
    this.ground = ground;
  }

  /** Files a return or records a payment, and returns the transactions to post. */
  apply(event: TaxReturnEvent | TaxPaymentEvent): Transaction[] {
    const ground = this.ground();
    return event.kind === 'return' ? this.file(event, ground) : [this.pay(event, ground)];
  }

  /** Returns the amounts on a filed return, or on the agency's next return without adjustments. */
  figures(name: string): ReturnFigures {
    const filed = this.filed.find(({ key }) => key === name);
    if (filed !== undefined) return filed.figures;
    return this.prepare(this.agency(name), { ...this.ground(), adjustments: [] }).figures;
  }

  /** Files an agency's next return, and returns the transactions of its adjustments. */
  private file(event: TaxReturnEvent, ground: Ground): Transaction[] {
    const { key, filedDate, adjustments } = event;
    const agency = this.agency(event.agency);
    if (this.filed.some((each) => each.key === key)) throw conflict(`There is a return ${key} already`);
    const next = this.nextPeriod(agency);
    const fault = filingFault(periodOf(agency, event.periodEnd), { next, today: filedDate });
    if (fault !== undefined) throw refuse(fault);
    refuseFields(checkAdjustments(adjustments, ground.taxAccountId));
    this.filed.push({ key, agency: agency.name, ...next, ...this.prepare(agency, { ...ground, adjustments }) });
    const { taxAccountId } = ground;
    return postAdjustments({ date: filedDate, description: `Sales tax return ${key}`, taxAccountId, adjustments });
  }

  /** Records a payment for a period. Before the period is filed, it is a prepayment. */
  private pay(event: TaxPaymentEvent, { taxAccountId }: Ground): Transaction {
    const { agency, periodEnd, amount, paymentDate: date, accountId: bankAccountId } = event;
    const { name } = this.agency(agency);
    const filed = this.filed.find((each) => each.agency === name && each.to === periodEnd);
    const unpaid = filed && this.unpaid(filed);
    if (unpaid !== undefined && amount > unpaid) {
      throw refuse(`The unpaid amount on this return is ${formatUsd(unpaid)}`);
    }
    this.payments.push({ ...event, isPrepaid: filed === undefined });
    return postTaxPayment({ date, description: `Sales tax ${name}`, taxAccountId, bankAccountId, amount });
  }

  /** Returns the part of a filed return that is not paid. */
  private unpaid({ agency, to, figures }: FiledReturn): Cents {
    const own = this.payments.filter((each) => each.agency === agency && each.periodEnd === to && !each.isPrepaid);
    return cents(figures.netDue - sum(own.map(({ amount }) => amount)));
  }

  private prepare(
    agency: ScenarioAgency,
    { sales, adjustments }: Pick<Ground, 'sales'> & Pick<TaxReturnEvent, 'adjustments'>,
  ): Pick<FiledReturn, 'documents' | 'figures'> {
    const earlier = this.filed.filter((each) => each.agency === agency.name);
    const period = this.nextPeriod(agency);
    const taxed = sales
      .filter(
        ({ event: { status, invoiceDate: date } }) => posts(status) && date >= agency.startDate && date <= period.to,
      )
      .map((sale) => {
        const amounts = amountsOf(sale);
        const isOwn = sale.event.invoiceDate >= period.from;
        return { id: sale.id, own: isOwn ? amounts : NOTHING, before: isOwn ? NOTHING : amounts };
      });
    const reported = earlier.flatMap(({ documents }) =>
      documents.flatMap(({ id, own, since }) => [own, since].map((amounts) => ({ id, ...amounts }))),
    );
    const documents = returnedAmounts(taxed, reported);
    const prepaid = this.payments.filter((each) => each.agency === agency.name && each.periodEnd === period.to);
    const figures = returnFigures(documents, {
      adjustments,
      carriedIn: earlier.at(-1)?.figures.carriedOver ?? ZERO,
      prepaid: sum(prepaid.map(({ amount }) => amount)),
    });
    return { documents, figures };
  }

  private nextPeriod(agency: ScenarioAgency): DateRange {
    const last = this.filed.findLast((each) => each.agency === agency.name);
    return periodOf(agency, last === undefined ? agency.startDate : addDays(last.to, 1));
  }

  private agency(name: string): ScenarioAgency {
    return found(
      this.agencies.find((each) => each.name === name),
      `Agency ${name}`,
    );
  }
}

const NOTHING: TaxAmounts = { gross: ZERO, taxable: ZERO, tax: ZERO };

/** Returns the amounts of a sale, which are negative for a credit memo. */
function amountsOf({ event, priced }: TaxedSale): TaxAmounts {
  const gross = sum(priced.lines.map(({ lineItemAmount }) => lineItemAmount));
  const taxable = sum(priced.lines.flatMap(({ lineItemAmount, taxable: is }) => (is ? [lineItemAmount] : [])));
  const amounts = { gross, taxable, tax: priced.salesTaxAmount };
  if (!event.isCredit) return amounts;
  return { gross: negate(gross), taxable: negate(taxable), tax: negate(amounts.tax) };
}
