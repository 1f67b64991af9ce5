import { formatDate, type IsoDate } from '../dates.ts';
import { Failure } from '../failure.ts';

/** The reconciliation that has marked a line, with the words for a person. */
export interface Mark {
  reconciliationId: number;
  bankAccountId: number;
  /** The name of the bank account. */
  name: string;
  statementDate: IsoDate;
}

/** Marked lines, by their ids. */
export type Marks = ReadonlyMap<number, Mark>;

/**
 * The refusal of a change to lines that a reconciliation has marked: until it is deleted, their date, account, amount
 * and view stay; words and dimensions may change. It leads to the reconciliation of the first of them.
 */
export class ReconciledFailure extends Failure {
  readonly lineIds: readonly number[];
  constructor(lineIds: readonly number[], mark: Mark | undefined) {
    const told = mark === undefined ? '' : ` This entry is reconciled on ${statementOf(mark)}.`;
    super(
      'conflict',
      `You can't delete a reconciled entry or change its date, account, or amount.${told} Delete ` +
        'the reconciliation first.',
      undefined,
      mark === undefined ? {} : { reconciliation: { id: mark.reconciliationId, bankAccountId: mark.bankAccountId } },
    );
    this.lineIds = lineIds;
  }
}

/** "Checking's statement of 5/31/2026". */
export function statementOf({ name, statementDate }: Pick<Mark, 'name' | 'statementDate'>): string {
  return `${name}'s statement of ${formatDate(statementDate)}`;
}

/** The refusal of a change to these marked lines. */
export function reconciled(lineIds: readonly number[], marks: Marks): ReconciledFailure {
  const first = lineIds.find((id) => marks.has(id));
  return new ReconciledFailure(lineIds, first === undefined ? undefined : marks.get(first));
}
