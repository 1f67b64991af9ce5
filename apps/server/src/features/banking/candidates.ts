import type { Candidate, MatchedEntry } from '@evenkeel/contract/statements';
import type { Explanation } from '@evenkeel/core/banking/matching';
import { splitAsBefore, splitByRule } from '@evenkeel/core/banking/matching/rules';
import { negate, ZERO } from '@evenkeel/core/money';
import { takenOff } from '../../books/documents/discounts.ts';
import { discountOn } from './evidence.sql.ts';
import type { BankLineRow, EntryRow } from './lines.sql.ts';
import { isUnexplained, lessDiscount, type Review } from './review.ts';

/** Suggested matches for bank transactions, as users see them. */

/**
 * The scores for suggestions from a rule and from the payee's history, for a bank transaction that has no match in the
 * books.
 */
const RULE_SCORE = 0.9;
const HISTORY_SCORE = 0.8;

const BLANK = {
  entries: [],
  lineIds: [],
  documents: [],
  entityId: null,
  entityName: '',
  bankAccountId: null,
  lines: [],
  ruleId: null,
} satisfies Partial<Candidate>;

/**
 * Returns all suggested matches for a bank transaction, best first. Entries that match other bank transactions come
 * last.
 */
export function candidatesOf(review: Review, line: BankLineRow): Candidate[] {
  const explained = review.explained(line.id);
  const found = explained.explanations.map((each, at) =>
    candidateOf(review, line, { ...each, isSure: at === 0 && explained.isSure }),
  );
  return isUnexplained(explained) ? [...bookings(review, line), ...found] : found;
}

/** Returns the best suggestion, and the number of equally good ones if the user has to choose. */
export function bestOf(review: Review, line: BankLineRow): { candidate: Candidate | null; choices: number } {
  const explained = review.explained(line.id);
  const [first] = candidatesOf(review, line);
  if (first?.action === 'add') return { candidate: first, choices: 1 };
  if (!explained.isAssigned) return { candidate: null, choices: 0 };
  return { candidate: first ?? null, choices: explained.choices };
}

function candidateOf(review: Review, line: BankLineRow, explanation: Explanation & { isSure: boolean }): Candidate {
  const { key, kind, score, reason, isSure: sure } = explanation;
  const lineIds = explanation.lineIds.filter((id) => id !== line.id);
  const base = { ...BLANK, key, kind, score, reason, sure, lineIds };
  if (kind === 'document' || kind === 'documents')
    return { ...base, action: 'pay', ...paid(review, line, explanation) };
  if (kind === 'receipt' || kind === 'receipts') {
    return { ...base, action: 'deposit', entries: receiptsOf(review, explanation) };
  }
  if (kind === 'transfer') {
    const other = review.otherSides.get(lineIds[0] ?? 0);
    return { ...base, action: 'transfer', bankAccountId: other?.bankAccountId ?? null };
  }
  const rows = explanation.items.flatMap(({ id }) => review.entries.get(id) ?? []);
  return { ...base, action: 'match', entries: rows.map((row) => entryView(row, review.bankAccountId)) };
}

function paid(review: Review, line: BankLineRow, { items, takesDiscount }: Explanation): Partial<Candidate> {
  const rows = items.flatMap(({ id }) => review.documents.get(id) ?? []);
  const [first] = rows;
  return {
    entityId: first?.entityId ?? null,
    entityName: first?.entityName ?? '',
    documents: rows.map((row) => {
      const { id, kind, number, date, open } = row;
      const openAmount = line.amount > 0 ? open : negate(open);
      const discount = takesDiscount ? discountOn(row, line.date) : ZERO;
      const amount = lessDiscount(openAmount, discount);
      return { invoiceId: id, kind, number, date, openAmount, amount, ...takenOff(discount) };
    }),
  };
}

function receiptsOf({ receipts, bankAccountId }: Review, { items }: Explanation): MatchedEntry[] {
  return items.flatMap(({ id }) => {
    const receipt = receipts.get(id);
    if (receipt === undefined) return [];
    return [
      {
        glid: receipt.lineId ?? 0,
        transactionID: 0,
        postingDate: receipt.receiptDate,
        description: receipt.memo,
        amount: receipt.amount,
        entityId: null,
        entityName: receipt.payer,
        sourceType: receipt.sourceType,
        sourceId: receipt.sourceId,
        number: receipt.number,
        bankAccountId,
      },
    ];
  });
}

/**
 * Returns an entry as users see it. An entry whose GL account no longer has a bank account is shown with the bank
 * transaction's own bank account.
 */
export function entryView(row: EntryRow, bankAccountId: number): MatchedEntry {
  const { transactionId: transactionID, accountId: _, checkNumber: _c, numbers: _n, actId: _a, ...shown } = row;
  return { ...shown, transactionID, bankAccountId: row.bankAccountId ?? bankAccountId };
}

/** The maximum number of parts in a suggestion, which keeps its key short. */
const MOST_PARTS = 20;

/** Returns a key that includes every value, so that a changed history results in a different suggestion. */
function historyKey(lines: Candidate['lines']): string {
  const parts = lines.map(({ accountID, profitcenterid, locationid, entityId, amount }) =>
    [accountID, profitcenterid ?? 0, locationid ?? 0, entityId ?? 0, amount].join('/'),
  );
  return `history:${parts.join(',')}`;
}

/** Returns the suggestions from the first matching rule and from the payee's history. */
function bookings(review: Review, line: BankLineRow): Candidate[] {
  const [rule, usual] = [review.ruleOf(line), review.usualOf(line)];
  const offered: Candidate[] = [];
  if (rule !== undefined) {
    const description = rule.memo || line.text;
    const lines = splitByRule(rule.lines, line.amount).map((part) => {
      const { accountId: accountID, amount, profitCenterId, locationId } = part;
      return { accountID, amount, description, profitcenterid: profitCenterId, locationid: locationId, entityId: null };
    });
    const { id: ruleId, rowVersion, entityId, entityName } = rule;
    // A changed rule results in a different suggestion, because the user has not seen its new lines yet.
    const key = `rule:${ruleId}:${rowVersion}`;
    const ofRule = { score: RULE_SCORE, reason: `rule ${rule.name}`, lines, ruleId, entityId, entityName };
    offered.push({ ...BLANK, key, kind: 'rule', action: 'add', sure: false, ...ofRule });
  }
  if (usual !== undefined && usual.parts.length <= MOST_PARTS) {
    const lines = splitAsBefore(usual.parts, line.amount).map((part) => {
      const { accountId: accountID, amount, profitCenterId, locationId, entityId } = part;
      return {
        accountID,
        amount,
        description: line.text,
        profitcenterid: profitCenterId,
        locationid: locationId,
        entityId,
      };
    });
    const reason = `categorized this way ${usual.count} times before`;
    const named = usual.parts.find(({ entityId }) => entityId !== null);
    const { entityId = null, entityName = '' } = named ?? {};
    const ofHistory = { score: HISTORY_SCORE, reason, lines, entityId, entityName };
    offered.push({ ...BLANK, key: historyKey(lines), kind: 'history', action: 'add', sure: false, ...ofHistory });
  }
  return offered.filter(({ key }) => !review.refused.has(`${line.id} ${key}`));
}
