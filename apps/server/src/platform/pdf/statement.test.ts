import { expect, it } from 'vitest';
import { cents } from '@evenkeel/core/money';
import { pagesOf } from './testing/pages.ts';
import { type StatementPaper, statementPdf } from './statement.ts';

const paper = (name: string, lines: number): StatementPaper => ({
  company: { name: 'Printing Plus', lines: [] },
  to: [name],
  facts: [{ label: 'Period', value: '1/1/2026 to 5/31/2026' }],
  lines: Array.from({ length: lines }, (_, at) => ({
    words: ['1/10/2026', 'Invoice', `${at + 1}`, '2/9/2026'],
    amount: cents(100),
    balance: cents(100 * (at + 1)),
  })),
  balance: cents(100 * lines),
  ages: [{ title: 'Total', amount: cents(100 * lines) }],
});

it('each statement in a file begins on a new page and has its own page numbers and headings', async () => {
  const pages = await pagesOf(await statementPdf([paper('Ash', 60), paper('Birch', 1), paper('Cedar', 60)]));
  const seen = pages.map((text) => {
    const [begins] = /To\s+(Ash|Birch|Cedar)/.exec(text)?.slice(1) ?? [];
    const [goesOn] = /Statement of Account · (Ash|Birch|Cedar)/.exec(text)?.slice(1) ?? [];
    return [begins ?? '', goesOn ?? '', /\d+\/\d+\s*$/.exec(text)?.[0].trim()].join(' ');
  });
  expect(seen).toEqual(['Ash  1/3', ' Ash 2/3', ' Ash 3/3', 'Birch  1/1', 'Cedar  1/3', ' Cedar 2/3', ' Cedar 3/3']);
});
