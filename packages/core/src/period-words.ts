import { addMonths, type IsoDate, MONTHS, partsOf } from './dates.ts';
import type { FieldMessages } from './failure.ts';

/**
 * Period words in braces on the lines of scheduled documents. They are replaced with words for the period that contains
 * the document's date.
 */

const WORD = /\{([^{}]*)\}/g;
const PERIOD = /^\s*(month|quarter|year)\s*(?:([+-])\s*(\d{1,2})\s*)?$/i;

interface PeriodWord {
  unit: 'month' | 'quarter' | 'year';
  /** The number of units to add, or to subtract if negative. */
  offset: number;
}

function readWord(inside: string): PeriodWord | undefined {
  const [, name = '', sign, count = '0'] = PERIOD.exec(inside) ?? [];
  const unit = (['month', 'quarter', 'year'] as const).find((each) => each === name.toLowerCase());
  return unit === undefined ? undefined : { unit, offset: Number(count) * (sign === '-' ? -1 : 1) };
}

/**
 * Returns text with its period words filled in for a date: `{month}` is "January", `{quarter}` is "Q1" of the calendar
 * year, and `{year}` is "2027". `+1` or `-1` moves a word by that number of units. `{year}` is the year of the month or
 * quarter that precedes it in the text. In November 2026, for example, `{month} – {month+2} {year}` is "November –
 * January 2027". Other words in braces are unchanged.
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

/** Returns the message for text with an unknown word in braces, or undefined for valid text. */
export function periodWordFault(text: string): string | undefined {
  const unknown = [...text.matchAll(WORD)].find(([, inside = '']) => readWord(inside) === undefined);
  if (unknown === undefined) return undefined;
  return `${unknown[0].slice(0, 40)} is not a period word. Use {month}, {quarter}, or {year}, for example {month+1}.`;
}

/** Returns the messages for unknown words in the lines' descriptions, by field path. Deleted lines are not checked. */
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
