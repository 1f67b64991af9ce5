import { writeFile } from 'node:fs/promises';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { wireAddressOf } from '@evenkeel/contract/request';
import { decode } from '@evenkeel/contract/wire';
import { formatAmount } from '@evenkeel/core/money';
import { reportCsv } from '@evenkeel/core/reports/csv';
import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { columnCount, type PageCell, pageRows } from '@evenkeel/core/reports/page';
import { callServer, serverOptions, WRONG_USAGE } from './call.ts';
import { type Command, optionalOption, UsageError } from './command.ts';

const text = { type: 'string' } as const;

/** The formats, each with the call that returns it. */
const FORMATS = {
  table: reportCalls.runReport,
  csv: reportCalls.runReport,
  json: reportCalls.runReport,
  pdf: reportCalls.reportPdf,
  excel: reportCalls.reportExcel,
} as const;

/**
 * Runs a report, which is identified by its ID, its title, or its name, such as profitAndLoss. `--from` and `--to` are
 * dates. By default, the server uses this fiscal year through today. `--out` writes the report to a file.
 */
export const reportCommand: Command = {
  name: 'report',
  usage:
    'NAME [--from DATE] [--to DATE] [--basis accrual|cash] [--format table|csv|json|pdf|excel] [--out FILE] ' +
    '[--address URL | --company ID [--user EMAIL]], or --list',
  options: { ...serverOptions, from: text, to: text, basis: text, format: text, list: { type: 'boolean' } },
  usageExitCode: WRONG_USAGE,
  run: async (context) => {
    if (context.options['list'] === true) {
      return { result: Object.entries(reportKinds).map(([name, { id, title, says }]) => ({ name, id, title, says })) };
    }
    const [name, ...others] = context.positionals;
    if (name === undefined) throw new UsageError('name a report');
    if (others.length > 0)
      throw new UsageError(
        `unexpected argument "${others[0]}". If the title contains spaces, put it in quotation marks`,
      );
    const format = oneOf(FORMATS, optionalOption(context, 'format') ?? 'table', '--format');
    const endpoint: Endpoint = FORMATS[format];
    const body = {
      reportParams: [
        { paramType: 1, paramName: 'startdate', paramvalue: optionalOption(context, 'from') },
        { paramType: 1, paramName: 'reportdate', paramvalue: optionalOption(context, 'to') },
        { paramType: 3, paramName: 'basis', paramvalue: basisOf(optionalOption(context, 'basis')) },
      ].filter(({ paramvalue }) => paramvalue !== undefined),
    };
    const reportId = String(kindOf(name).id);
    const done = await callServer(context, endpoint, { address: wireAddressOf(endpoint, { reportId }, {}), body });
    if (done.exitCode !== undefined || typeof endpoint.reply === 'string') return done;
    const report = decode(reportCalls.runReport.reply, done.result);
    const content =
      format === 'csv' ? reportCsv(report) : format === 'table' ? tableOf(report) : JSON.stringify(done.result);
    const out = optionalOption(context, 'out');
    if (out === undefined) return { ...done, text: content.trimEnd() };
    await writeFile(out, content);
    return { result: { file: out, bytes: Buffer.byteLength(content) } };
  },
};

function kindOf(name: string): ReportKind {
  const wanted = name.toLowerCase();
  const found = Object.entries<ReportKind>(reportKinds).find(([key, { id, title }]) =>
    [key.toLowerCase(), title.toLowerCase(), String(id)].includes(wanted),
  );
  if (found === undefined) throw new UsageError(`unknown report "${name}" (--list lists all reports)`);
  return found[1];
}

/** Returns the value of an option that must be one of the keys of `values`. */
function oneOf<T extends object>(values: T, given: string, option: string): keyof T {
  const isOne = (text: PropertyKey): text is keyof T => Object.hasOwn(values, text);
  if (!isOne(given)) throw new UsageError(`${option} must be one of ${Object.keys(values).join(', ')}`);
  return given;
}

const BASES = { accrual: 0, cash: 1 } as const;

const basisOf = (given: string | undefined) =>
  given === undefined ? undefined : BASES[oneOf(BASES, given, '--basis')];

/** Returns the report as lines with aligned columns. */
function tableOf(report: ReportData): string {
  const words = (cell: PageCell): string =>
    'text' in cell ? cell.text : cell.amount === null ? '' : formatAmount(cell.amount);
  const rows = pageRows(report);
  const texts = rows.map(({ cells }) => cells.map(words));
  const widths = Array.from({ length: columnCount(rows) }, (_, column) =>
    Math.max(0, ...texts.map((cells) => (cells.length === 1 ? 0 : (cells[column] ?? '').length))),
  );
  const lines = rows.map(({ cells, depth = 0 }, at) => {
    const padded = cells.map((cell, column) => {
      const one = texts[at]?.[column] ?? '';
      const width = widths[column] ?? 0;
      const isRight = 'amount' in cell || cell.isRight === true;
      return isRight ? one.padStart(width) : `${'  '.repeat(column === 0 ? depth : 0)}${one}`.padEnd(width);
    });
    return padded.join('  ').trimEnd();
  });
  return [...report.reportHeaderItems.map(({ headerText }) => headerText), '', ...lines].join('\n');
}
