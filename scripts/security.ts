// docs/security.md: OWASP ASVS 5.0 level 1, requirement by requirement.
import { requirements } from './security.data.ts';
import { Places } from './specification.ts';
import type { Source } from './tidy/source.ts';

/** A requirement with what shows it; without, `shown` is undefined and a test fails. */
export interface Judged {
  id: string;
  wants: string;
  how: string;
  state: 'met' | 'operator' | 'absent' | 'open';
  shown: string | undefined;
}

/** The test by its title, or the document that has the words. */
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

/** All requirements, each with its place. */
export function judgedRequirements(sources: readonly Source[]): Judged[] {
  const places = new Places(sources);
  return requirements.map(({ id, wants, how, shown, state = 'met' }) => {
    return { id, wants, how, state, shown: shownBy(places, sources, shown) };
  });
}

const HEAD = `# Security

Written by \`npm run generate\` from \`scripts/security.data.ts\`; do not edit. What OWASP ASVS 5.0 asks for at level 1,
in our words, by the numbers of its requirements; how it is met; and the test, or the text, that shows it. A test fails
where one of these is gone. Limits, rules of access and times for mending stand in [SECURITY.md](../SECURITY.md), what
an operator does in [operations](operations.md).
`;

const STATES = {
  met: '',
  operator: 'With the operator: ',
  absent: 'Does not apply: ',
  open: '**Not met**: ',
} as const;

/** The text of docs/security.md. */
export function securityPage(sources: readonly Source[]): string {
  const judged = judgedRequirements(sources);
  const count = (state: Judged['state']): number => judged.filter((each) => each.state === state).length;
  const sums =
    `Of ${judged.length} requirements ${count('met')} are met by the program, ${count('operator')} with the ` +
    `operator's part, ${count('absent')} ask about what is not there, and ${count('open')} are not met.`;
  const rows = judged.map(({ id, wants, how, state, shown }) => {
    return `| ${id} | ${wants} | ${STATES[state]}${how} | ${shown ?? ''} |\n`;
  });
  return `${HEAD}\n${sums}\n\n| id | asks for | how | shown by |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}
