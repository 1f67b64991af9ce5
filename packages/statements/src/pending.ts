import type { Row } from './table.ts';

/** Banks' words for a transaction that is not posted yet or was never posted, in the languages of the headers. */
const PENDING = new Set(
  [
    'pending, pending transaction, authorized, authorised, authorization, authorisation, on hold, hold, processing',
    'in process, in progress, in review, uncleared, unposted, not posted, scheduled, upcoming, declined, rejected',
    'failed, reverted, canceled, cancelled, denied, expired, blocked, vorgemerkt, umsatz vorgemerkt, vorgemerkte',
    'vorgemerkter umsatz, vormerkung, ausstehend, in bearbeitung, nicht gebucht, offen, reserviert, abgelehnt',
    'storniert, fehlgeschlagen, en attente, en cours, a venir, non comptabilise, refuse, annule, pendiente, en proceso',
    'en tramite, retenido, rechazado, rechazada, cancelado, cancelada, pendente, em processamento, agendado, agendada',
    'recusado, recusada, in sospeso, in attesa, non contabilizzato, in elaborazione, rifiutato, annullato',
    'in behandeling, gereserveerd, nog niet geboekt, niet geboekt, reservering, geweigerd, geannuleerd, reserveret',
    'afventer, afventende, venter, ikke bokfort, ikke bogfort, reservert, reserverad, vantande, preliminar, odottaa',
    'varaus, katevaraus, oczekujaca, oczekujace, oczekujacy, oczekująca, blokada, w realizacji, odrzucona, cekajici',
    'ceka na zpracovani, nezauctovano, blokace, fuggoben, beklemede, bekliyor, provizyon, в обработке, ожидание, холд',
    'не проведено, 処理中, 未確定, 处理中, 待处理, 待入账',
  ].flatMap((line) => line.split(', ')),
);
/** Four letters at the beginning of a cell, or two if a space or an accent follows. */
const START = /^(?:[a-z]{4}|[a-z]{2})/i;
/** The beginnings of the words for pending transactions. Most cells start differently and need no further check. */
const STARTS = new Set([...PENDING].flatMap((word) => [word.slice(0, 2), word.slice(0, 4)]));
const PENDING_COLUMN = /^(pending|is pending|vorgemerkt|pendiente|pendente|en attente|in sospeso|in behandeling)$/;
const POSTED_COLUMN =
  /^(is )?(posted|booked|cleared|settled|gebucht|verbucht|comptabilise|contabilizado|geboekt|bogfort)$/;
const YES = /^(true|yes|y|1|x|ja|j|oui|si|sim|s)$/;
const NO = /^(false|no|n|0|nein|non|nao|nee|nej)$/;

/**
 * Returns a cell in the form in which the words for pending transactions are stored: lowercase, without accents or
 * surrounding punctuation.
 */
function plain(cell: string): string {
  return cell
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
    .replace(/[\s_-]+/g, ' ');
}

/** The maximum length of a cell that may contain a status. */
const LONGEST = 40;

/** A title above pending rows, in a row without other cells. */
const SECTION = /^(pending|vorgemerkte?|ausstehende|en attente|pendientes?|pendentes?|in behandeling|reserver)/;

/** The word in a column that marks a row as pending, or undefined if the column says nothing about that. */
function markOf(name: string): RegExp | undefined {
  if (PENDING_COLUMN.test(name)) return YES;
  return POSTED_COLUMN.test(name) ? NO : undefined;
}

function isPending(cells: readonly string[], marks: readonly (RegExp | undefined)[]): boolean {
  return cells.some((cell, column) => {
    if (cell === '' || cell.length > LONGEST) return false;
    const mark = marks[column];
    const start = mark === undefined ? START.exec(cell)?.[0] : undefined;
    if (start !== undefined && !STARTS.has(start.toLowerCase())) return false;
    if (mark === undefined && /^[-+\d.,/ ]*$/.test(cell)) return false;
    const word = plain(cell);
    return PENDING.has(word) || /^\W*pending\s*[-:–]/i.test(cell) || mark?.test(word) === true;
  });
}

/**
 * Separates the rows that the bank marks as not posted. The mark is a word in any cell, “yes” in a column for pending
 * transactions, or a separate title above the rows. Banks list these transactions again, possibly with another date or
 * amount, after they are posted.
 */
export function withoutPending(rows: readonly Row[], names: readonly string[]): { rows: Row[]; pending: Row[] } {
  const found: { rows: Row[]; pending: Row[] } = { rows: [], pending: [] };
  const marks = names.map((name) => markOf(plain(name)));
  let isSection = false;
  for (const row of rows) {
    const filled = row.cells.filter((cell) => cell.trim() !== '');
    const [only = ''] = filled;
    if (filled.length === 1 && only.length <= LONGEST && !/\d/.test(only)) isSection = SECTION.test(plain(only));
    const isOut = filled.length > 1 && (isSection || isPending(row.cells, marks));
    (isOut ? found.pending : found.rows).push(row);
  }
  return found;
}

/** Returns the note about transactions that were skipped because they are pending. */
export function pendingNote(count: number): string {
  const said = count === 1 ? '1 pending transaction is' : `${count} pending transactions are`;
  return `${said} excluded. Import a new file after the bank has posted ${count === 1 ? 'it' : 'them'}.`;
}
