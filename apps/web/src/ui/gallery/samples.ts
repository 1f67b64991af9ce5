import { addDays, isoDate, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, cents } from '@evenkeel/core/money';
import type { StatusLook } from '../show/Status.tsx';

export interface SampleInvoice {
  number: string;
  customer: string;
  look: StatusLook;
  status: string;
  date: IsoDate;
  amount: Cents;
}

const FIRST = isoDate('2026-03-02');

const CUSTOMERS = [
  'Tannery Row Lofts',
  'Whitaker Residence',
  'Fairlawn Heights HOA',
  'Merriman Valley Inn',
  'Larkspur Senior Living',
  'Oak Hollow Montessori',
  'Ironworks Brewing Co.',
  'St. Brendan Parish',
  'Cuyahoga Ridge Apartments',
];

const LOOKS: readonly [StatusLook, string][] = [
  ['late', 'Overdue 37 days'],
  ['hold', 'On Hold'],
  ['sent', 'Sent'],
  ['partial', 'Partially paid'],
  ['open', 'Open'],
];

/** Invoices to look at: the same every time. */
export function sampleInvoices(count: number): SampleInvoice[] {
  return Array.from({ length: count }, (_, index) => {
    const [look, status] = LOOKS[index % LOOKS.length] ?? ['open', 'Open'];
    return {
      number: String(10388 + index * 3),
      customer: CUSTOMERS[(index * 7) % CUSTOMERS.length] ?? '',
      look,
      status,
      date: addDays(FIRST, index % 900),
      amount: cents(index % 11 === 4 ? -(index * 137 + 12500) : ((index * 7919) % 900000) + 4219),
    };
  });
}
