import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../checkout.mjs';

/**
 * The files that take longest, the longest first. Whoever begins one of them last leaves the other workers without work
 * until it is done; a fresh checkout knows no durations, and a file's size says little about them.
 */
export const longest: readonly string[] = [
  'apps/web/src/app/everyScreen.test.tsx',
  'apps/web/src/screens/billing/invoices/BillingEntry.test.tsx',
  'apps/web/src/app/askedAgain.test.tsx',
  'apps/web/src/screens/dashboard/Dashboard.test.tsx',
  'packages/scenario/src/random.property.test.ts',

  'packages/postgres/src/embedded.test.ts',
  'apps/server/src/platform/http/endpoints.test.ts',
  'apps/server/src/process/operator.test.ts',
  'apps/server/src/process/crash.test.ts',
  'apps/server/src/platform/http/every-statement.test.ts',
  'apps/server/src/process/several.test.ts',
  'apps/server/src/process/printing.test.ts',
  'scenarios/random.property.test.ts',
  'apps/server/src/platform/http/reads.test.ts',
  'apps/server/src/process/external.test.ts',
  'apps/server/src/books/documents/races.test.ts',
  'scripts/test/instants.test.ts',
  'apps/server/src/process/tamper.test.ts',
  'apps/server/src/process/first-kill.test.ts',
  'apps/server/src/process/work-items.test.ts',
  'scenarios/scenarios.test.ts',
  'apps/server/src/process/attachments.test.ts',
  'apps/server/src/process/key.test.ts',
  'apps/server/src/process/second-factor.test.ts',
  'apps/server/src/app/demo/demo.test.ts',
  'apps/server/src/across/health/books-verify.test.ts',
  'apps/server/src/features/banking/lock.test.ts',
  'apps/server/src/across/auth/members.test.ts',
  'apps/server/src/platform/http/hostile.property.test.ts',
  'apps/server/src/app/cli/backup.test.ts',
  'apps/server/src/across/reports/statements.test.ts',
  'apps/server/src/app/demo/look-around.test.ts',
  'apps/server/src/across/auth/second-factor.test.ts',
  'apps/server/src/features/banking/races.test.ts',
  'apps/server/src/process/sending.test.ts',
  'apps/server/src/platform/db/migrate.test.ts',
  'apps/server/src/platform/http/hung-database.test.ts',
  'apps/server/src/books/documents/cost.test.ts',

  'e2e/src/widths.e2e.ts',
  'e2e/src/shift.e2e.ts',
  'e2e/src/typing.e2e.ts',
  'e2e/src/banking.e2e.ts',
  'e2e/src/lost-answers.e2e.ts',
  'e2e/src/session-wall.e2e.ts',
  'e2e/src/reports-walk.e2e.ts',
  'e2e/src/reports.e2e.ts',
  'e2e/src/whole-path.e2e.ts',
  'e2e/src/screens.e2e.ts',
  'e2e/src/sign-in.e2e.ts',
  'e2e/src/expenses.e2e.ts',
  'e2e/src/saving.e2e.ts',
  'e2e/src/first-start.e2e.ts',
  'e2e/src/keyboard.e2e.ts',
  'e2e/src/catalogue.e2e.ts',
  'e2e/src/payments.e2e.ts',
  'e2e/src/dashboard.e2e.ts',
  'e2e/src/journal.e2e.ts',
  'e2e/src/alerts.e2e.ts',
  'e2e/src/entities.e2e.ts',
  'e2e/src/weight.e2e.ts',
  'e2e/src/attachments.e2e.ts',
];

const ranks = new Map(longest.map((path, rank) => [path, rank]));
const rankOf = ({ moduleId }: TestSpecification): number =>
  ranks.get(relative(root, moduleId).replaceAll('\\', '/')) ?? longest.length;

/** Begins the longest files first, the others as vitest does. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
