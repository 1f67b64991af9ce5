/** The part that a column plays in a table of bank lines. */
export type Role = 'date' | 'amount' | 'debit' | 'credit' | 'direction' | 'balance' | 'check' | 'bankId' | 'text';

/** Names of columns as banks write them, the best first; letters and spaces alone. */
const NAMES: Record<Role, RegExp[]> = {
  date: [
    /^(posted|date posted|(post(ed|ing)?|completed) date|booked|date booked|booking date|buchungstag|buchungsdatum)$/,
    /^(date|date ?time|transaction date|trans date|tran date|txn date|datum|fecha|data|date operation|operation date)$/,
    /^(date .*|.* date|wertstellung|valuta|valutadatum)$/,
  ],
  amount: [
    /^(net|net amount)$/,
    /^(amount|transaction amount|amount (in )?usd|usd amount|betrag|umsatz|importe|monto|montant|bedrag|importo)$/,
    /^(amount .*|.* amount|betrag .*|value|sum|gross)$/,
  ],
  debit: [
    /^(debits?|withdrawals?|money out|paid out|payments? out|outflow|debet|soll|debito|debe|cargo|charges?)$/,
    /^(debits?|withdrawals?|money out|paid out) (amount|amt|usd)$|^amount debit$/,
  ],
  credit: [
    /^(credits?|deposits?|money in|paid in|payments? in|inflow|haben|credito|haber|abono)$/,
    /^(credits?|deposits?|money in|paid in) (amount|amt|usd)$|^amount credit$/,
  ],
  direction: [
    /^(debit credit|credit debit|dr cr|cr dr|d c|credit or debit|debit or credit|credit debit indicator|direction)$/,
    /^(debit credit|credit debit) indicator$|^(transaction type|type|details|sign|soll haben|af bij)$/,
  ],
  balance: [/^(balance|running balance|running bal|saldo|solde)$/, /balance|^running bal/],
  check: [/^(check|cheque|chk)( or slip)?( number| no| num|)$/],
  bankId: [/^(fitid|((bank|unique) )?(transaction|trans|txn|entry) (id|identifier)|unique id)$/],
  text: [
    /^((original|transaction|full|extended) )?(description|narrative|narration|particulars?|libelle|concepto)s?$/,
    /^(payee|name|merchant|beneficiary|counterparty|payer|recipient|auftraggeber.*|begunstigter.*)( name)?$/,
    /^(memo|notes?|message|text|purpose|verwendungszweck|buchungstext|transaction details?|omschrijving)$/,
  ],
};

/** A header as NAMES has it: small letters without accents. */
export function plainHeader(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

/** The columns that their headers give this part, the best first. */
export function columnsFor(role: Role, headers: readonly string[]): number[] {
  const plain = headers.map(plainHeader);
  const found = NAMES[role].flatMap((names) => plain.flatMap((name, column) => (names.test(name) ? [column] : [])));
  return [...new Set(found)];
}

/** True for a row of names among which a date and an amount have theirs. */
export function namesColumns(cells: readonly string[]): boolean {
  const has = (...roles: Role[]): boolean => roles.some((role) => columnsFor(role, cells).length > 0);
  return has('date') && has('amount', 'debit', 'credit') && !cells.some((cell) => /^\W*\d/.test(cell.trim()));
}
