/** A file that would take a very long time to read without safeguards. */
export interface HostileFile {
  what: string;
  text: string;
  /** Whether the file must be rejected. If not, it must be read. */
  isRefused: boolean;
}

const HEAD = 'Date,Description,Amount\n2024-05-06,Tea,-1.00\n';

/**
 * Returns statement files that have about this many characters and consist only of columns, continuations, or a single
 * amount.
 */
export function hostileFiles(letters: number): HostileFile[] {
  const fill = (unit: string): string => unit.repeat(Math.floor(letters / unit.length));
  const wide = `${Array.from({ length: 300 }, (_, at) => `Column ${at}`).join(',')}\n`;
  const bai =
    `01,A,B,240601,1,1,,,2/\n02,A,B,1,240601,,USD,2/\n03,1,USD/\n16,165,500,Z,,,A\n` +
    `${fill('88,x\n')}49,500,2/\n98,500,1/\n99,0,1,6/\n`;
  return [
    { what: 'commas', text: fill(','), isRefused: true },
    { what: '300 columns', text: wide + fill(`${'1.25,'.repeat(299)}1.25\n`), isRefused: true },
    { what: 'continuation records', text: bai, isRefused: false },
    { what: 'one amount', text: `${HEAD}2024-05-07,Tea,${fill('1')}\n`, isRefused: true },
  ];
}
