import { csvText, harmless } from '@evenkeel/core/csv';
import { cents, toPlain } from '@evenkeel/core/money';
import { saveFile } from '../hooks/saveFile.ts';
import { cellText, type Column } from './columns.ts';

/**
 * Returns the rows for a spreadsheet: all columns with a value, plain amounts, and text that can't run as a formula.
 */
export function csvRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[][] {
  const kept = columns.filter((column) => column.value !== undefined && column.kind !== 'action');
  const cell = (column: Column<Row>, row: Row): string => {
    const value = column.value?.(row);
    if (column.kind !== 'amount' || value === null || value === undefined) return harmless(cellText(column, row));
    return toPlain(cents(Number(value)));
  };
  return [kept.map(({ header }) => harmless(header)), ...rows.map((row) => kept.map((column) => cell(column, row)))];
}

/** Saves the rows under the list's name. */
export function saveCsv<Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  saveFile(`${label}.csv`, ['\ufeff', csvText(csvRows(columns, rows))]);
}
