import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { invoicePdf, type InvoicePaper, type PaperLine } from './invoice.ts';
import { drawPdf } from './pdf.ts';
import { pagesOf } from './testing/pages.ts';

const squeezed = (text: string): string => text.replace(/\s+/g, '');

const line = (change: Partial<PaperLine> = {}): PaperLine => ({
  serviceDate: isoDate('2026-05-26'),
  name: 'Weekly Lawn Maintenance',
  description: 'Mowing and edging, 4 visits in May',
  quantity: '4',
  price: cents(18_500),
  amount: cents(74_000),
  taxable: true,
  ...change,
});

const paper = (change: Partial<InvoicePaper> = {}): InvoicePaper => ({
  name: 'Invoice',
  shortName: 'Invoice',
  asks: 'payment',
  company: { name: 'Cedar & Stone', lines: ['2140 Quarry Road, Akron, OH 44313', '(330) 555-0148'] },
  billTo: ['Fairlawn Heights HOA', 'Attn: Ruth Abernathy', '88 Fairlawn Heights Drive', 'Akron, OH 44333'],
  invoiceNumber: '10436',
  invoiceDate: isoDate('2026-05-26'),
  dueDate: isoDate('2026-06-25'),
  lines: [
    line(),
    line({
      name: 'Spring Refresh Package',
      quantity: '1',
      price: cents(115_000),
      amount: cents(115_000),
      parts: [{ text: 'Smart Discount', amount: cents(-10_000) }],
    }),
    line({ name: '', description: 'Storm debris', quantity: '2', amount: cents(29_000), taxable: false }),
    line({ name: 'Spring Loyalty 5%', description: '', quantity: null, price: null, amount: cents(-9_450) }),
  ],
  subtotal: cents(208_550),
  taxes: [{ label: 'Ohio 5.75% of 1,795.50', amount: cents(10_324) }],
  total: cents(218_874),
  paid: cents(20_000),
  balanceDue: cents(198_874),
  notes: ['Please give invoice number 10436.'],
  ...change,
});

describe('a printed invoice', () => {
  it('one page shows the parties, dates, lines, tax, total, amount paid, and amount due of $1,988.74', async () => {
    const pages = await pagesOf(await invoicePdf(paper()));
    expect(pages).toHaveLength(1);
    const text = squeezed(pages[0] ?? '');
    const wanted = ['Cedar & Stone', 'Fairlawn Heights HOA', 'Attn: Ruth Abernathy', 'Akron, OH 44333', '10436'];
    const figures = [
      '5/26/2026',
      'Due Date 6/25/2026',
      '185.00',
      '740.00',
      '1,150.00',
      '(100.00)',
      '(94.50)',
      '290.00',
    ];
    const totals = ['Subtotal 2,085.50', 'Ohio 5.75% of 1,795.50 103.24', 'Total 2,188.74', 'Payments 200.00'];
    const rest = ['Amount due $1,988.74', 'Storm debris *', '* Not subject to sales tax.', '1/1', 'Amount enclosed'];
    for (const each of [...wanted, ...figures, ...totals, ...rest]) expect(text).toContain(squeezed(each));
  });

  it('an invoice with 120 lines repeats the table heading and has a page number on each page', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => line({ name: `Visit number ${index + 1}.` }));
    const pages = await pagesOf(await invoicePdf(paper({ lines })));
    expect(pages.length).toBeGreaterThan(5);
    pages.forEach((page, index) => {
      expect(squeezed(page)).toContain(`${index + 1}/${pages.length}`);
      if (page.includes('Visit number')) expect(squeezed(page)).toContain('DateDescriptionQuantityPriceAmount');
      if (index > 0) expect(page).toContain('Invoice 10436 · Fairlawn Heights HOA');
    });
    const all = pages.join(' ');
    for (let number = 1; number <= 120; number += 1) expect(all).toContain(`Visit number ${number}.`);
  });

  it('an invoice is never cut off: a 12,000-character description spans pages, and a long word is broken', async () => {
    const long = Array.from({ length: 2000 }, (_, index) => `word${index}`).join(' ');
    const word = `${'x'.repeat(498)}yz`;
    const lines = [line({ description: long }), line({ description: word })];
    const pages = await pagesOf(await invoicePdf(paper({ lines })));
    const text = squeezed(pages.join(''));
    for (const each of ['word0word1', 'word999', 'word1999']) expect(text).toContain(each);
    expect(text).toContain(word);
  });

  it('a draft is printed as a draft without a payment slip, and an invoice can have no lines', async () => {
    const pages = await pagesOf(await invoicePdf(paper({ status: 'Draft', lines: [], taxes: [], dueDate: null })));
    expect(pages[0]).toContain('Invoice (Draft)');
    expect(pages[0]).not.toContain('Amount enclosed');
    expect(pages[0]).not.toContain('Due Date');
    // No amount is owed, so the document doesn't request a payment.
    for (const demand of ['Amount due', 'Payments']) expect(pages[0]).not.toContain(demand);
    expect(pages[0]).toContain('Total');
  });

  it('a second document is printed without traces of the first one', async () => {
    const [first, second] = [await invoicePdf(paper()), await invoicePdf(paper())];
    expect(Math.abs(first.length - second.length)).toBeLessThan(100);
    expect(await pagesOf(second)).toEqual(await pagesOf(first));
  });
});

describe('users’ text in a PDF', () => {
  let server: Server;
  let hits = 0;
  let url = '';
  beforeAll(async () => {
    server = createServer((_request, response) => {
      hits += 1;
      response.end('');
    });
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    const address = server.address();
    url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/x.png` : '';
  });
  afterAll(() => {
    server.close();
  });

  it('an address, path, script, or definition in any field is printed as text and never opened', async () => {
    const evil = [url, 'file:///etc/passwd', '/etc/passwd', '<script>alert(1)</script>', '{"image":"/etc/passwd"}'];
    for (const text of evil) {
      const changed = paper({
        company: { name: text, lines: [text] },
        billTo: [text],
        invoiceNumber: text,
        lines: [line({ name: text, description: text, quantity: text, parts: [{ text, amount: cents(1) }] })],
        taxes: [{ label: text, amount: cents(1) }],
        notes: [text],
        footer: text,
      });
      const pages = await pagesOf(await invoicePdf(changed));
      expect(squeezed(pages.join(''))).toContain(squeezed(text));
      expect(pages.join('')).not.toContain('root:');
    }
    expect(hits).toBe(0);
  });

  it('a definition whose image is a URL or a file path is rejected without fetching it', async () => {
    await expect(drawPdf({ content: [{ image: 'far' }], images: { far: url } })).rejects.toThrow(/far|denied/);
    await expect(drawPdf({ content: [{ image: '/etc/hostname' }] })).rejects.toThrow(/denied/);
    expect(hits).toBe(0);
  });

  it('control characters are removed, and accents are kept', async () => {
    const pages = await pagesOf(await invoicePdf(paper({ billTo: ['Zoë\u0007 Brontë \u001b[31m'] })));
    expect(pages[0]).toContain('Zoë Brontë [31m');
  });
});
