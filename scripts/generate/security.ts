// Generates docs/security.md: OWASP ASVS 5.0 levels 1 and 2, requirement by requirement.
import { levelTwo } from './security-level2.data.ts';
import { requirements as levelOne } from './security.data.ts';
import { Places } from './specification.ts';
import type { Source } from '../tidy/source.ts';

const inOrder = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id, 'en', { numeric: true });

const requirements = [
  ...levelOne.map((each) => ({ ...each, level: 1 as const })),
  ...levelTwo.map((each) => ({ ...each, level: 2 as const })),
].toSorted(inOrder);

/**
 * A requirement with the test or text that proves that it is met. If there is none, `shown` is undefined and a test
 * fails.
 */
export interface Judged {
  id: string;
  level: 1 | 2;
  wants: string;
  how: string;
  state: 'met' | 'operator' | 'absent' | 'open';
  shown: string | undefined;
}

/** Returns the test with the given title, or the document that contains the given sentence. */
function shownBy(places: Places, sources: readonly Source[], shown: string): string | undefined {
  const [file = '', title] = shown.split(' :: ');
  if (title !== undefined) {
    const found = places.titled(file, title);
    return found && `\`${found.path}\` "${found.title.replaceAll('|', '\\|')}"`;
  }
  const [path = '', words = ''] = shown.split(' # ');
  const text = sources.find((each) => each.path === path)?.text.replace(/\s+/g, ' ');
  const link = path.startsWith('docs/') ? path.slice('docs/'.length) : `../${path}`;
  return text?.includes(words) === true ? `[${path}](${link})` : undefined;
}

/** Returns all requirements with the tests and text that prove that they are met. */
export function judgedRequirements(sources: readonly Source[]): Judged[] {
  const places = new Places(sources);
  return requirements.map(({ id, level, wants, how, shown, state = 'met' }) => {
    return { id, level, wants, how, state, shown: shownBy(places, sources, shown) };
  });
}

const HEAD = `# Security

\`npm run generate\` writes this page from \`security.data.ts\` and \`security-level2.data.ts\` in \`scripts/generate\`.
Don't edit it. It lists the requirements of OWASP ASVS 5.0, levels 1 and 2, in our words and by their numbers, with how
each is met and the test or text that proves it. A test fails if the evidence is missing.
[SECURITY.md](../SECURITY.md) has the sign-in limits, access rules, and times for fixes. [Safeguards](safeguards.md)
lists data, keys, logs, and limits, and [Operations](operations.md) describes the operator's tasks.
`;

const STATES = {
  met: '',
  operator: 'With the operator. ',
  absent: 'Does not apply. ',
  open: '**Not met.** ',
} as const;

/** Returns the text of docs/security.md. */
export function securityPage(sources: readonly Source[]): string {
  const judged = judgedRequirements(sources);
  const count = (state: Judged['state']): number => judged.filter((each) => each.state === state).length;
  const sums =
    `Evenkeel meets ${count('met')} of ${judged.length} requirements, and ${count('operator')} more with the ` +
    `operator's help. ${count('absent')} don't apply, and ${count('open')} are not met.`;
  const rows = judged.map(({ id, level, wants, how, state, shown }) => {
    return `| ${id} | ${level} | ${wants} | ${STATES[state]}${how} | ${shown ?? ''} |\n`;
  });
  const head = '| ID | level | requirement | how it is met | evidence |\n| --- | --- | --- | --- | --- |\n';
  return `${HEAD}\n${sums}\n\n${head}${rows.join('')}`;
}
