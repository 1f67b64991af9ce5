// Checks the style guide: `tsx scripts/tidy.ts` prints one line per finding and fails if there are any.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './checkout.mjs';
import { checkImports } from './tidy/direction.ts';
import { checkFigures } from './tidy/figures.ts';
import { checkAssertions, checkBarrel, checkOpenings, checkPlaces, checkUnfinished } from './tidy/language.ts';
import { checkText } from './tidy/limits.ts';
import { checkCorePure, checkDocs } from './tidy/purity.ts';
import { checkReports } from './tidy/reports.ts';
import { generated } from './tidy/rooms.ts';
import { parse } from './tidy/source.ts';
import type { Code, Finding, Source } from './tidy/source.ts';
import { checkVoice, loweredCeilings, voiceHits } from './tidy/voice.ts';
import {
  checkKindsAreData,
  checkSqlWords,
  checkTenancy,
  companyConditions,
  kindNames,
  tenantTables,
} from './tidy/sql.ts';

const skipped = ['node_modules', 'dist', 'coverage', 'test-results', '.git', '.cache'];
const readable = /\.(ts|tsx|mjs|css|sql|json|md|html|yml|yaml|books|sh)$|^\.ci\/run$|^\.[a-z]+(rc|ignore)?$/;

/**
 * Returns the text files in a checkout. Reads the folders instead of running git, which may refuse to let root use
 * another user's clone.
 */
export function readTree(root: string, folder = ''): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (skipped.includes(entry.name) || path === 'data') return [];
    if (entry.isDirectory()) return readTree(root, path);
    if (!entry.isFile() || !readable.test(path)) return [];
    return [{ path, text: readFileSync(join(root, path), 'utf8') }];
  });
}

/** Returns the parsed code files in a tree, except generated files. */
const codesOf = (sources: readonly Source[]): Code[] =>
  sources
    .filter(({ path }) => !generated.includes(path))
    .map(parse)
    .filter((code): code is Code => code !== undefined);

/** Returns all findings in a tree of files, sorted by path and line. */
export function tidy(sources: readonly Source[]): Finding[] {
  const decisions = sources.find(({ path }) => path === 'docs/decisions.md')?.text ?? '';
  const codes = codesOf(sources);
  const tenancy = { tables: tenantTables(sources), conditions: companyConditions(codes) };
  const kinds = kindNames(codes);
  const findings = [
    ...sources.flatMap((source) => [
      ...checkText(source),
      ...checkPlaces(source),
      ...checkOpenings(source),
      ...checkUnfinished(source, decisions),
      ...checkSqlWords(source),
    ]),
    ...codes.flatMap((code) => [
      ...checkAssertions(code),
      ...checkBarrel(code),
      ...checkCorePure(code),
      ...checkDocs(code),
      ...checkFigures(code),
      ...checkTenancy(code, tenancy),
      ...checkKindsAreData(code, kinds),
    ]),
    ...checkImports(codes),
    ...checkReports(codes),
    ...checkVoice(sources, codes),
  ];
  return findings.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
}

/** Returns the ceilings for the voice rules, lowered to a tree's counts. */
export const voiceCeilings = (sources: readonly Source[]): string => loweredCeilings(sources, codesOf(sources));

/** Prints the phrases that match a voice rule. */
function printVoice(rule: string): void {
  const sources = readTree(root);
  for (const hit of voiceHits(sources, codesOf(sources)))
    if (hit.rule === rule) console.log(`${hit.path}:${hit.line} (${hit.pool}) ${hit.words}`);
}

const voiceRule = process.argv[process.argv.indexOf('--voice') + 1];
if (isMain(import.meta.url) && process.argv.includes('--voice')) printVoice(voiceRule ?? '');
else if (isMain(import.meta.url)) {
  const findings = tidy(readTree(root));
  for (const { path, line, rule, message } of findings) console.log(`${path}:${line} ${rule} ${message}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
