// Limits that the linter does not check: the line length of comments and text, and meaningless names.
import type { Finding, Source } from './source.ts';
import { columns, emptyNames, generated, isDataTable } from './rooms.ts';
import { isCode } from './source.ts';

/** Checks rules that need no syntax tree: line length, and file and folder names. */
export function checkText(source: Source): Finding[] {
  const { path } = source;
  if (!/\.(ts|tsx|mjs|css|sql)$/.test(path) || generated.includes(path)) return [];
  return [...lineLengths(source), ...emptyName(path)];
}

function lineLengths({ path, text }: Source): Finding[] {
  if (isDataTable(path)) return [];
  return text.split('\n').flatMap((line, index) => {
    const message = `${line.length} columns, but at most ${columns} are allowed`;
    return line.length > columns ? [{ path, line: index + 1, rule: 'columns', message }] : [];
  });
}

function emptyName(path: string): Finding[] {
  if (!isCode(path)) return [];
  const names = path.split('/').map((part) => part.replace(/(\.test)?\.[a-z]+$/, ''));
  const found = names.find((name) => emptyNames.includes(name.toLowerCase()));
  if (!found) return [];
  return [{ path, line: 1, rule: 'empty-name', message: `'${found}' is meaningless: name the file after its content` }];
}
