import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const run = promisify(execFile);
const SHEET = 'xl/worksheets/sheet1.xml';
/** The export settings: commas, quotation marks, UTF-8, starting at the first line, with unformatted numbers. */
const PLAIN = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false';

/** Without this setting, the spreadsheet program trusts the stored results of formulas. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>`;

/** The stored result of every formula before recalculation. No report contains this number. */
export const POISON = 987_654_321;

/**
 * Returns the cells of each workbook, row by row, as a spreadsheet program reads and calculates them. The stored
 * results of formulas are first replaced with wrong values, so that only a recalculation gives the right numbers. The
 * program is started only once for all workbooks.
 */
export async function recalculated(program: string, workbooks: readonly Uint8Array[]): Promise<string[][][]> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-sheets-'));
  const name = (at: number, ending: string): string => join(folder, `${at}.${ending}`);
  try {
    await Promise.all(workbooks.map((bytes, at) => writeFile(name(at, 'xlsx'), poisoned(bytes))));
    const profile = join(folder, 'profile');
    await mkdir(join(profile, 'user'), { recursive: true });
    await writeFile(join(profile, 'user/registrymodifications.xcu'), SETTINGS);
    const files = workbooks.map((_, at) => name(at, 'xlsx'));
    const own = `-env:UserInstallation=file://${profile}`;
    await run(program, [own, '--headless', '--convert-to', PLAIN, '--outdir', folder, ...files], { timeout: 120_000 });
    return await Promise.all(workbooks.map(async (_, at) => cellsOf(await readFile(name(at, 'csv'), 'utf8'))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function poisoned(workbook: Uint8Array): Uint8Array {
  const files = unzipSync(workbook);
  const sheet = strFromU8(files[SHEET] ?? new Uint8Array());
  const wrong = sheet.replace(/<\/f><v>[^<]*<\/v>/g, `</f><v>${POISON}</v>`);
  return zipSync({ ...files, [SHEET]: strToU8(wrong) });
}

/** Returns the rows of a CSV string whose quoted cells may contain commas, quotation marks, and line breaks. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\n') rows.push([]);
  }
  return rows;
}
