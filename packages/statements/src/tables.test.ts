import { describe, expect, it } from 'vitest';
import type { StatementMapping } from './statement.ts';
import { readInThread, readRemembered, type ReadFile, type ReadOptions, readStatementFile } from './read.ts';
import { encodings } from './testing/writers.ts';

const utf8 = encodings['UTF-8'];
const read = (text: string, options: ReadOptions = { accountKind: 'bank' }): ReadFile =>
  readStatementFile(utf8(text), options);
const amounts = (file: ReadFile): number[] => file.statements.flatMap(({ lines }) => lines.map(({ amount }) => amount));
const texts = (file: ReadFile): string[] => file.statements.flatMap(({ lines }) => lines.map(({ text }) => text));
const asked = ({ questions }: ReadFile): string[] => questions.map(({ name }) => name);
const refusal = (text: string): string => {
  const reading = readInThread({ bytes: utf8(text) });
  return 'refusal' in reading ? reading.refusal : 'read';
};

describe('a column of words decides the direction of amounts, whatever its name is', () => {
  it.each([
    ['CreditDebet', 'D', 'C'],
    ['S/H', 'S', 'H'],
    ['D/K', 'D', 'K'],
    ['+/-', '-', '+'],
    ['KZ', 'DBIT', 'CRDT'],
    ['Art', 'Soll', 'Haben'],
    ['Af Bij', 'Af', 'Bij'],
    ['X', 'Out', 'In'],
    ['Sens', 'Débit', 'Crédit'],
    ['Kind', 'Withdrawal', 'Deposit'],
    ['W/D', 'W', 'D'],
  ])('a column named %s with %s for money out and %s for money in determines the direction', (name, out, into) => {
    const rows = [`2024-05-06,Tea,1.50,${out}`, `2024-05-07,Pay,10.00,${into}`];
    for (const head of [[`Date,Description,Amount,${name}`], []]) {
      const file = read([...head, ...rows].join('\n'), {});
      expect([asked(file), amounts(file)]).toEqual([[], [-150, 1000]]);
    }
  });

  it('the reader asks which of two unknown words means money out, and remembers the answer', () => {
    const head = 'Date,Description,Amount,KZ';
    const both = [head, '2024-05-06,Tea,1.50,Ab', '2024-05-07,Pay,10.00,Zu'].join('\n');
    const of = (text: string, mapping: StatementMapping) => read(text, { mapping: { directionColumn: 3, ...mapping } });
    expect(of(both, {}).questions).toEqual([
      {
        name: 'outWord',
        choices: [
          { value: 'Ab', label: 'Ab is money out' },
          { value: 'Zu', label: 'Zu is money out' },
        ],
      },
    ]);
    const answered = of(both, { outWord: 'Ab' });
    expect([asked(answered), amounts(answered)]).toEqual([[], [-150, 1000]]);
    expect(answered.mapping).toMatchObject({ directionColumn: 3, outWord: 'ab', inWord: 'zu' });
    expect(amounts(of(both, { outWord: 'Zu', turned: false }))).toEqual([150, -1000]);
    const later = of([head, '2024-06-07,Pay,20.00,ZU'].join('\n'), answered.mapping ?? {});
    expect([asked(later), amounts(later)]).toEqual([[], [2000]]);
    const alone = [head, '2024-05-07,Pay,10.00,Zu'].join('\n');
    expect(of(alone, {}).questions[0]?.choices.map(({ label }) => label)).toEqual([
      'Zu is money out',
      'Zu is money in',
    ]);
    expect(amounts(of(alone, { outWord: '' }))).toEqual([1000]);
    expect(of(alone, { outWord: '' }).mapping).toMatchObject({ outWord: '', inWord: 'zu' });
    expect(asked(of(both, { outWord: '', inWord: 'zu' }))).toEqual(['outWord']);
    expect(amounts(of(alone, { outWord: 'Zu' }))).toEqual([-1000]);
    // A third word in the column is rejected.
    const three = [both, '2024-05-08,Fee,2.00,Um'].join('\n');
    expect(() => of(three, { outWord: 'Ab', inWord: 'Zu' })).toThrow(
      "'Um' does not indicate whether money came in or went out",
    );
  });

  it('the reader asks about unknown words, a single "-", and words that contradict signs', () => {
    const of = (...rows: string[]) => asked(read(['Date,Description,Amount,KZ', ...rows].join('\n')));
    expect(of('2024-05-06,Tea,1.50,xx', '2024-05-07,Pay,10.00,yy')).toEqual(['turned']);
    expect(of('2024-05-06,Tea,1.50,-', '2024-05-07,Pay,10.00,-')).toEqual(['turned']);
    expect(of('2024-05-06,Tea,-1.50,D', '2024-05-07,Pay,-10.00,C')).toEqual(['turned']);
  });
});

describe('a running balance determines the role of each column', () => {
  it.each([
    ['without column names', ['2024-05-06,Tea,100.00,-1.50', '2024-05-07,Pay,110.00,10.00']],
    ['in reverse date order', ['2024-05-07,Pay,110.00,10.00', '2024-05-06,Tea,100.00,-1.50']],
    ['with meaningless column names', ['Aa,Bb,Cc,Dd', '2024-05-06,Tea,100.00,-1.50', '2024-05-07,Pay,110.00,10.00']],
    [
      'with swapped column names',
      ['Date,Text,Amount,Saldo', '2024-05-06,Tea,100.00,-1.50', '2024-05-07,Pay,110.00,10.00'],
    ],
  ])('a running balance to the left of the amounts is found, %s', (_, rows) => {
    const file = read(rows.join('\n'));
    expect(asked(file)).toEqual([]);
    expect(file.statements[0]).toMatchObject({ opening: 10_150, closing: 11_000 });
    expect(amounts(file).toSorted((a, b) => a - b)).toEqual([-150, 1000]);
  });

  it('a running balance also identifies unnamed columns for money out and money in, in either order', () => {
    expect(amounts(read('2024-05-06,Tea,1.50,,98.50\n2024-05-07,Pay,,10.00,108.50'))).toEqual([-150, 1000]);
    expect(amounts(read('2024-05-06,Tea,,1.50,98.50\n2024-05-07,Pay,10.00,,108.50'))).toEqual([-150, 1000]);
    expect(asked(read('2024-05-06,Tea,,1.50\n2024-05-07,Pay,10.00,'))).toEqual(['debitColumn']);
  });

  it('the reader asks the user if neither of two columns is the other’s running balance', () => {
    expect(asked(read('2024-05-06,Tea,1.50,7.10\n2024-05-07,Pay,-2.00,3.33'))).toEqual(['amountColumn']);
  });

  it('rejects a file with only balances', () => {
    expect(refusal('Date,Text,Balance\n2024-05-06,Tea,100.00\n2024-05-07,Pay,90.00\n')).toBe(
      'Line 2: The file has balances but no transaction amounts',
    );
  });
});

describe('signs', () => {
  const card = 'Date,Description,Amount\n2024-03-18,OFFICE DEPOT,64.20\n2024-03-15,AIRLINE,320.00\n';

  it('the reader asks about positive purchases on a card if no payment is labeled', () => {
    for (const options of [{}, { accountKind: 'card' }, { accountKind: 'bank' }] as const) {
      expect(read(card, options).questions).toEqual([
        {
          name: 'turned',
          choices: [
            { value: 'false', label: '64.20 OFFICE DEPOT is money in' },
            { value: 'true', label: '64.20 OFFICE DEPOT is money out' },
          ],
        },
      ]);
    }
    expect(amounts(read(card, { mapping: { turned: true } }))).toEqual([-6420, -32_000]);
  });

  it("a card's balance does not determine the signs, because it may be the amount owed", () => {
    const owed = 'Date,Text,Amount,Balance\n2024-03-15,AIR,320.00,420.00\n2024-03-18,DEPOT,64.20,484.20\n';
    expect(asked(read(owed, { accountKind: 'card' }))).toEqual(['turned']);
    const file = read(owed, { accountKind: 'card', mapping: { turned: true } });
    expect(file.statements[0]).toMatchObject({ opening: -10_000, closing: -48_420 });
  });

  it('if only some amounts are marked CR, the others are money out', () => {
    expect(amounts(read('Date,Text,Amount\n2024-03-15,AIR,320.00\n2024-03-18,PAID,64.20 CR\n', {}))).toEqual([
      -32_000, 6420,
    ]);
  });

  it('the mapping excludes unanswered questions, so sending it back does not answer them', () => {
    const file = read(card);
    expect(file.mapping).not.toHaveProperty('turned');
    expect(asked(read(card, { mapping: file.mapping ?? {} }))).toEqual(['turned']);
  });
});

describe('answered questions', () => {
  const answersTo = ({ answers = [] }: ReadFile) => answers.map(({ name, value, isProved }) => [name, value, isProved]);

  it('a question that the mapping answers is still listed, and its answer can be changed', () => {
    const table = 'Date,Description,Amount,KZ\n05/06/2024,Tea,"1,234",Ab\n05/07/2024,Pay,"2,345",Zu\n';
    const mapping = { directionColumn: 3, outWord: 'ab', dateOrder: 'dmy', decimal: '.' } as const;
    const file = read(table, { mapping });
    expect([asked(file), answersTo(file)]).toEqual([
      [],
      [
        ['dateOrder', 'dmy', false],
        ['decimal', '.', false],
        ['outWord', 'Ab', false],
      ],
    ]);
    expect(file.answers?.[0]?.choices.map(({ value }) => value)).toEqual(['mdy', 'dmy']);
  });

  it('if the file proves the signs, they are listed as an answer, and the user can reverse them', () => {
    const table = 'Date,Description,Amount,Balance\n2024-05-06,Tea,1.50,98.50\n2024-05-07,Pay,-10.00,108.50\n';
    const file = read(table);
    expect([answersTo(file), amounts(file)]).toEqual([[['turned', 'true', true]], [-150, 1000]]);
    expect(file.answers?.[0]?.choices[0]).toEqual({ value: 'false', label: '1.50 Tea is money in' });
    const turned = read(table, { accountKind: 'bank', mapping: { turned: false } });
    expect([answersTo(turned), amounts(turned)]).toEqual([[['turned', 'false', false]], [150, -1000]]);
    // If each direction has its own column, or if a file has no transactions, no sign is in doubt.
    expect(answersTo(read('Date,Text,Money out,Money in\n2024-05-06,Tea,1.50,\n2024-05-07,Pay,,10.00\n'))).toEqual([]);
    expect(answersTo(read('Date,Text,Amount\n2024-05-06,Tea,0.00\n'))).toEqual([]);
  });

  it('each sample row and the column names have their line number in the file', () => {
    const file = read('Account,1\n\nDate,Text,Amount\n2024-05-06,"Tea\nGreen",-1.50\n\n2024-05-07,Pie,-2.50\n');
    expect([file.headerRow, file.sampleRows]).toEqual([3, [4, 7]]);
    expect(file.statements[0]?.lines.map(({ row }) => row)).toEqual([4, 7]);
  });
});

describe('saved mappings', () => {
  const options = { accountKind: 'bank' } as const;
  const first = read('Date,Description,Amount\n05/06/2024,Tea,-1.50\n', options);
  const known = [[first.headerKey ?? '', { ...first.mapping, dateOrder: 'dmy', skip: 0 }]] as const;
  const again = (text: string) => {
    const reading = readRemembered({ bytes: utf8(text), options }, known);
    if ('refusal' in reading) throw new Error(reading.refusal);
    return reading.file;
  };

  it('a saved mapping also works for the next file, even with a longer preamble', () => {
    const file = again(
      'Account,1\nPeriod,May\n\nDate,Description,Amount\n07/08/2024,Tea,-1.50\n08/08/2024,Pie,-2.50\n',
    );
    expect([asked(file), amounts(file), file.statements[0]?.from]).toEqual([[], [-150, -250], '2024-08-07']);
  });

  it('a saved mapping is ignored if the file contradicts it', () => {
    expect(again('Date,Description,Amount\n05/13/2024,Tea,-1.50\n').statements[0]?.from).toBe('2024-05-13');
  });
});

describe('rows', () => {
  it.each([
    'Pending',
    'PENDING',
    'Vorgemerkt',
    'Umsatz vorgemerkt',
    'En attente',
    'Pendiente',
    'In behandeling',
    'Declined',
  ])('rows with the status %s are skipped and counted', (word) => {
    const file = read(`Date,Text,Amount,State\n2024-05-06,Tea,-1.50,Booked\n2024-05-07,Pie,-9.00,${word}\n`);
    expect([amounts(file), file.notes]).toEqual([
      [-150],
      ['1 pending transaction is excluded. Import a new file after the bank has posted it.'],
    ]);
  });

  it('rows that are marked as pending by a yes or no, their date, or a title above them are skipped', () => {
    expect(amounts(read('Date,Text,Amount,Pending\n2024-05-06,Tea,-1.50,false\n2024-05-07,Pie,-9.00,true\n'))).toEqual([
      -150,
    ]);
    expect(amounts(read('Date,Text,Amount,Booked\n2024-05-06,Tea,-1.50,yes\n2024-05-07,Pie,-9.00,no\n'))).toEqual([
      -150,
    ]);
    expect(amounts(read('Date,Text,Amount\n2024-05-06,Tea,-1.50\nPending,Pie,-9.00\n'))).toEqual([-150]);
    const titled = 'Date,Text,Amount\nPending transactions,,\n2024-05-07,Pie,-9.00\nPosted,,\n2024-05-06,Tea,-1.50\n';
    expect(amounts(read(titled))).toEqual([-150]);
  });

  it('a row without text uses its other words, and a row without an amount is mentioned in a note', () => {
    expect(texts(read('Date,Description,Party,Amount\n2024-05-06,,ACME,-1.50\n2024-05-06,Tea,ACME,-1.50\n'))).toEqual([
      'ACME',
      'Tea',
    ]);
    const info = read('Date,Text,Amount,Balance\n2024-05-06,Tea,-1.50,8.50\n2024-05-07,Info,,8.50\n');
    expect([amounts(info), info.notes]).toEqual([[-150], ['1 row has no amount and is excluded: line 3']]);
    const quotes = read(
      [
        '"Date","Text","Amount"',
        '"2024-05-06","MONITOR 27"","-1.50"',
        '"2024-05-07","JOE"S","-2.00"',
        '"2024-05-08","a ""b"", c","-3.00"',
      ].join('\n'),
    );
    expect(texts(quotes)).toEqual(['MONITOR 27"', 'JOE"S', 'a "b", c']);
    expect(amounts(quotes)).toEqual([-150, -200, -300]);
  });

  it('in dates with periods, the day comes first, and 2012:03:01 is a date', () => {
    const file = read('Date,Text,Amount\n05.06.2024,Tea,-1.50\n');
    expect([asked(file), file.statements[0]?.from]).toEqual([[], '2024-06-05']);
    expect(read('Date,Text,Amount\n2012:03:01,Tea,-1.50\n').statements[0]?.from).toBe('2012-03-01');
    expect(asked(read('Aa,Bb,Cc\nx,Tea,-1.50\ny,Pie,-2.50\n'))).toEqual(['dateColumn']);
  });

  it('rejects an amount that is cut off at the thousands separator, and a column with two currencies', () => {
    expect(
      refusal('Date,Text,Amount,Balance\n2024-05-06,Tea,-1.50,8.50\n2024-05-06,Rent,-1,234.00,500.00\n'),
    ).toContain('The row has more cells than the 4 column names');
    expect(refusal('Date,Text,Amount,Currency\n2024-05-06,Tea,-1.50,USD\n2024-05-07,Tea,-1.50,EUR\n')).toBe(
      'Line 3, column 4: The file has amounts in USD and in EUR. Download a file for one currency',
    );
  });
});

describe('malicious files', () => {
  const SIZE = 1_000_000;
  const fill = (unit: string): string => unit.repeat(SIZE / unit.length);
  const head = 'Date,Description,Amount\n2024-05-06,Tea,-1.00\n';
  const bai = (inner: string): string =>
    `01,A,B,240601,1,1,,,2/\n02,A,B,1,240601,,USD,2/\n03,1,USD/\n16,165,500,Z,,,A\n` +
    `${inner}49,500,2/\n98,500,1/\n99,0,1,6/\n`;
  const ofx = (inner: string): string =>
    `OFXHEADER:100\n\n<OFX><STMTRS><BANKTRANLIST>\n${inner}</BANKTRANLIST></STMTRS></OFX>`;
  const camt = (inner: string): string => `<Document><BkToCstmrStmt><Stmt>${inner}</Stmt></BkToCstmrStmt></Document>`;

  it.each([
    ['commas', fill(','), 'Line 1: The file has more than 200 columns'],
    ['commas after a table', head + fill(','), 'Line 3: The file has more than 200 columns'],
    ['newlines', head + fill('\n'), 'The file has more than 100,000 statement lines'],
    ['a single number', `${head}2024-05-06,Tea,${fill('1')}\n`, 'is not an amount'],
    ['continuation records', bai(fill('88,x\n')), 'read'],
    ['unclosed CDATA', ofx(fill('<![CDATA[ ')), 'read'],
    ['nested elements', camt(fill('<abc>')), 'The XML is nested more than 60 levels deep'],
    ['many elements in one entry', camt(`<Ntry>${fill('<ab/>')}</Ntry>`), 'An entry has more than 100,000 elements'],
    ['quotes', head + fill('"a"b,'), 'A quotation mark is not closed'],
    [
      'accounts',
      Array.from({ length: 20_000 }, (_, at) => `!Account\nN${at}\n^\n!Type:Bank\n`).join(''),
      'more than 1,000 accounts',
    ],
  ])('a file with a million characters of %s is read quickly', (_, text, sentence) => {
    const before = process.cpuUsage();
    expect(refusal(text)).toContain(sentence);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
