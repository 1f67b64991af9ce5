import { patternOf } from './statement.ts';

/** The role of a column in a table of bank transactions. */
export type Role = 'date' | 'amount' | 'debit' | 'credit' | 'balance' | 'check' | 'bankId' | 'text';

/** Column names that banks use, best first, with only letters and spaces. */
const NAMES: Record<Role, RegExp[]> = {
  date: [
    /^(posted|date posted|(post(ed|ing)?|completed) date|booked|date booked|booking date|buchungstag|buchungsdatum)$/,
    patternOf(
      '',
      '^(boekdatum|fecha (contable|de operacion)|data (operacji|contabile|ksiegowania|księgowania)|',
      'date (comptable|de comptabilisation)|bokforingsdag|bogført|datum zauctovani|',
      'konyveles datuma)$',
    ),
    patternOf(
      '',
      '^(date|date ?time|transaction date|trans date|tran date|txn date|datum|fecha|data|',
      'date operation|operation date|dato|tarih|дата|日期|日付)$',
    ),
    /^(date .*|.* date|.*datum|datum .*|fecha .*|data .*|.*dato|wertstellung|valuta|дата .*|transaktionsdag)$/,
  ],
  amount: [
    /^(net|net amount)$/,
    patternOf(
      '',
      '^(amount|transaction amount|amount (in )?usd|usd amount|betrag|umsatz|importe|monto|montant|',
      'bedrag|importo|valor)$',
    ),
    patternOf(
      '',
      '^(belopp|beløb|kwota|castka|osszeg|tutar|сумма|金额|金額|交易金额|summe|buchungsbetrag|umsatzbetrag|',
      'quantia|iznos|suma|summa|maara)$',
    ),
    patternOf(
      '',
      '^(amount .*|.* amount|betrag .*|.*betrag|importe .*|importo .*|montant .*|bedrag .*|',
      'valor .*|kwota .*|сумма .*|value|sum|gross)$',
    ),
  ],
  debit: [
    /^(debits?|withdrawals?|money out|paid out|payments? out|outflow|debet|soll|debito|debitos|debe|cargos?|charges?)$/,
    patternOf(
      '',
      '^(ausgang|ausgaben?|belastung(en)?|lastschrift(en)?|af|uit|uitgaven|sorties?|depenses?|',
      'egresos?|retiros?|addebit[oi]|uscite|dare|saidas?|wydatki|obciazenia|obciążenia|uttag|',
      'udgifter|udbetaling|ut|vydaje|terheles|borc|расход|списание|支出|出金|spent|cash out)$',
    ),
    /^(debits?|withdrawals?|money out|paid out) (amount|amt|usd)$|^amount debit$|^(montant )?debit (eur|euros)$/,
  ],
  credit: [
    /^(credits?|deposits?|money in|paid in|payments? in|inflow|haben|credito|creditos|haber|abonos?)$/,
    patternOf(
      '',
      '^(eingang|einnahmen?|gutschrift(en)?|bij|in|inkomsten|entrees?|recettes?|ingresos?|',
      'depositos?|accredit[oi]|entrate|avere|entradas?|przychody|uznania|insattning(ar)?|',
      'insattninger|indtægter|indbetaling|inn|kredit|prijmy|jovairas|alacak|приход|зачисление|收入|',
      '入金|received|cash in)$',
    ),
    /^(credits?|deposits?|money in|paid in) (amount|amt|usd)$|^amount credit$|^(montant )?credit (eur|euros)$/,
  ],
  balance: [
    patternOf(
      '',
      '^(balance|running balance|running bal|saldo|solde|kontostand|guthaben|zustatek|egyenleg|',
      'bakiye|stan rachunku|остаток|баланс|余额|残高)$',
    ),
    /balance|^running bal|saldo|\bsolde\b|kontostand|guthaben|zustatek|egyenleg|bakiye|остаток|余额|残高/,
  ],
  check: [/^(check|cheque|chk)( or slip)?( number| no| num|)$/],
  bankId: [/^(fitid|((bank|unique) )?(transaction|trans|txn|entry) (id|identifier)|unique id)$/],
  text: [
    /^((original|transaction|full|extended) )?(description|narrative|narration|particulars?|libelle|concepto)s?$/,
    /^(payee|name|merchant|beneficiary|counterparty|payer|recipient|auftraggeber.*|begunstigter.*)( name)?$/,
    /^(memo|notes?|message|text|purpose|verwendungszweck|buchungstext|transaction details?|omschrijving)$/,
    patternOf(
      '',
      '^(descripcion|descricao|descrizione|causale|beskrivning|beskrivelse|tekst|naam .*|opis .*|',
      'opis|popis|nazwa .*|kozlemeny|aciklama|описание|назначение .*|摘要|摘要説明)$',
    ),
  ],
};

const DIRECTION = [
  patternOf(
    '',
    '^(debit credit|credit debit|dr cr|cr dr|d c|c d|d k|s h|credit or debit|debit or credit|',
    'direction|sign|side|debet credit|credit debet)$',
  ),
  patternOf(
    '',
    '^(debit credit|credit debit) indicator$|^(soll haben|soll haben kennzeichen|af bij|richtung|',
    'vorzeichen|sens|sentido|segno|mouvement|cargo abono|debe haber|dare avere)$',
  ),
];

/** Returns whether the header indicates a column with the currency of each amount. */
export const namesCurrency = (header: string): boolean =>
  /^(currency|currency code|ccy|wahrung|devise|moneda|moeda|munt|divisa|valuutta)$/.test(plainHeader(header));

/** Returns whether the header indicates a column with record, account, or code numbers. */
export const namesNumber = (header: string): boolean =>
  patternOf(
    '',
    '\\b(number|numero|nummer|num|no|nr|id|ref|reference|referenz|code|account|konto|kontonummer|',
    'rekening|cuenta|card|bank)\\b',
  ).test(plainHeader(header));

/** Returns a header in the form that NAMES uses: lowercase without accents. */
export function plainHeader(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

/** Returns the columns whose headers have this role, in groups of equally good names, best first. */
export function ranked(role: Role, headers: readonly string[]): number[][] {
  const plain = headers.map(plainHeader);
  return NAMES[role].map((names) => plain.flatMap((name, column) => (names.test(name) ? [column] : [])));
}

/** Returns the columns whose headers have this role, best first. */
export function columnsFor(role: Role, headers: readonly string[]): number[] {
  return [...new Set(ranked(role, headers).flat())];
}

/** Returns whether the header indicates a column with the direction of each amount. */
export function namesDirection(header: string): boolean {
  const plain = plainHeader(header);
  return DIRECTION.some((names) => names.test(plain)) || /^\W*[+-]\W*[+-−–]\W*$/.test(header);
}

/** Returns whether a row contains column names, including a date and an amount. */
export function namesColumns(cells: readonly string[]): boolean {
  const has = (...roles: Role[]): boolean => roles.some((role) => columnsFor(role, cells).length > 0);
  return has('date') && has('amount', 'debit', 'credit') && !cells.some((cell) => /^\W*\d/.test(cell.trim()));
}
