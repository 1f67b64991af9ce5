import { addMonths, type IsoDate, MONTHS, partsOf } from './dates.ts';
import type { FieldMessages } from './failure.ts';

/** Words in braces in the lines of scheduled documents, which stand for the period of each document's date. */

const WORD = /\{([^{}]*)\}/g;
const PERIOD = /^\s*(month|quarter|year)\s*(?:([+-])\s*(\d{1,2})\s*)?$/i;

interface PeriodWord {
  unit: 'month' | 'quarter' | 'year';
  /** So many units later; negative for earlier. */
  offset: number;
}

function readWord(inside: string): PeriodWord | undefined {
  const [, name = '', sign, count = '0'] = PERIOD.exec(inside) ?? [];
  const unit = (['month', 'quarter', 'year'] as const).find((each) => each === name.toLowerCase());
  return unit === undefined ? undefined : { unit, offset: Number(count) * (sign === '-' ? -1 : 1) };
}

/**
 * A text with its period words filled for a date: `{month}` is "January", `{quarter}` "Q1" of the calendar, `{year}`
 * "2027", each with `+1` or `-1` that many units away. A year belongs to the month or quarter in front of it, so that
 * `{month} – {month+2} {year}` of November 2026 is "November – January 2027". Other words in braces stay as they are.
 */
export function fillPeriodWords(text: string, date: IsoDate): string {
  let named = date;
  return text.replace(WORD, (whole, inside: string) => {
    const word = readWord(inside);
    if (word === undefined) return whole;
    const { unit, offset } = word;
    if (unit === 'year') return String(partsOf(named).year + offset);
    named = addMonths(date, offset * (unit === 'month' ? 1 : 3));
    const { month } = partsOf(named);
    return unit === 'month' ? (MONTHS[month - 1] ?? '') : `Q${Math.ceil(month / 3)}`;
  });
}

/** The reason why a text is refused: a word in braces that is no period word; undefined for a right one. */
export function periodWordFault(text: string): string | undefined {
  const unknown = [...text.matchAll(WORD)].find(([, inside = '']) => readWord(inside) === undefined);
  if (unknown === undefined) return undefined;
  return `${unknown[0].slice(0, 40)} is not a period word. Use {month}, {quarter}, or {year}, for example {month+1}.`;
}

/** The messages for the descriptions of lines, under the path of their list; deleted lines are not checked. */
export function checkPeriodWords(
  path: string,
  lines: readonly { description?: string | null | undefined; deleted?: boolean | null | undefined }[],
): FieldMessages {
  const fields: FieldMessages = {};
  lines.forEach(({ description, deleted }, index) => {
    const fault = deleted === true ? undefined : periodWordFault(description ?? '');
    if (fault !== undefined) fields[`${path}.${index}.description`] = fault;
  });
  return fields;
}
