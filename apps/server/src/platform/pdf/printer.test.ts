import { afterAll, describe, expect, it } from 'vitest';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import type { InvoicePaper } from './invoice.ts';
import { Printer, type PrinterLimits } from './printer.ts';

const printers: Printer[] = [];
afterAll(() => Promise.all(printers.map((each) => each.close())));

function printerOf(limits: Partial<PrinterLimits>): Printer {
  const made = new Printer({ threads: 1, ...limits });
  printers.push(made);
  return made;
}

/** Returns a document with `lines` lines. */
function paperOf(lines: number): InvoicePaper {
  const amount = cents(2500);
  return {
    name: 'Invoice',
    shortName: 'Invoice',
    asks: 'payment',
    company: { name: 'Cedar & Stone', lines: [] },
    billTo: ['Fairlawn Heights'],
    invoiceNumber: '10436',
    invoiceDate: isoDate('2026-05-26'),
    dueDate: null,
    lines: Array.from({ length: lines }, (_, index) => ({
      serviceDate: isoDate('2026-05-26'),
      name: `Visit ${index}`,
      description: 'Mowing and edging of the beds '.repeat(5),
      quantity: '1',
      price: amount,
      amount,
      taxable: false,
    })),
    subtotal: amount,
    taxes: [],
    total: amount,
    paid: cents(0),
    balanceDue: amount,
  };
}

const kind = (bytes: Uint8Array): string => Buffer.from(bytes).subarray(0, 5).toString();
const refusal = (drawing: Promise<Uint8Array>): Promise<unknown> => drawing.then(kind, (error: unknown) => error);

describe('the printer', () => {
  it('the printer rejects documents beyond the queue’s limit and renders all others', async () => {
    const printer = printerOf({ mostWaiting: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => refusal(printer.invoice(paperOf(5)))));
    const drawn = answers.filter((answer) => answer === '%PDF-');
    const refused = answers.filter((answer) => answer !== '%PDF-');
    expect([drawn.length, refused.length]).toEqual([2, 18]);
    for (const each of refused) expect(each).toMatchObject({ code: 'unavailable', detail: { retryAfterSeconds: 5 } });
  });

  it('the printer stops a document that takes too long, and renders the next one', async () => {
    const printer = printerOf({ longestMs: 300 });
    expect(await refusal(printer.invoice(paperOf(1000)))).toMatchObject({ code: 'unavailable' });
    printer.limits.longestMs = 50_000;
    expect(kind(await printer.invoice(paperOf(1)))).toBe('%PDF-');
  });

  it('a crashed thread loses only its document, and a new thread renders the next one', async () => {
    const printer = printerOf({ memoryMb: 32 });
    const broken = await refusal(printer.invoice(paperOf(3000)));
    expect(broken).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
    expect(kind(await printer.invoice(paperOf(1)))).toBe('%PDF-');
  });
});
