// Generates the diagram of the layers in docs/architecture.md ("Layers") from the folders and from the table that
// `tidy` checks.
import type { Source } from '../tidy/source.ts';
import { floors } from '../tidy/rooms.ts';

const PAGE = 'docs/architecture.md';
const [BEGIN, END] = ['<!-- layers: begin, npm run generate -->', '<!-- layers: end -->'];
const INDENT = 12;
const WIDTH = 100;

/** Returns the names of the folders directly in `folder`. */
function foldersIn(sources: readonly Source[], folder: string): string[] {
  const rest = sources
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map(({ path }) => path.slice(folder.length + 1));
  return [...new Set(rest.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''))].toSorted();
}

/** Returns names separated by commas, on lines that fit into the diagram. */
function wrapped(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const joined = lines.length === 0 ? name : `${lines.at(-1)}, ${name}`;
    if (lines.length > 0 && joined.length < WIDTH - INDENT) lines[lines.length - 1] = joined;
    else if (lines.length === 0) lines.push(name);
    else lines.splice(-1, 1, `${lines.at(-1)},`, name);
  }
  return lines;
}

/** Returns both apps with their layers from top to bottom and the folders in each layer. */
export function floorPicture(sources: readonly Source[]): string {
  const apps = Object.entries(floors).flatMap(([app, list]) => [
    '',
    app,
    ...list.flatMap(({ name, contents }) => [
      `  ${name.padEnd(INDENT - 2)}${contents}`,
      ...wrapped(foldersIn(sources, `${app}/${name}`)).map((line) => `${' '.repeat(INDENT)}${line}`),
    ]),
  ]);
  return ['```text', ...apps.slice(1), '```'].join('\n');
}

/** Returns the text of docs/architecture.md with an updated diagram. Throws if the markers are missing. */
export function architecturePage(sources: readonly Source[]): string {
  const page = sources.find(({ path }) => path === PAGE)?.text ?? '';
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no markers for the layers: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${floorPicture(sources)}\n\n${page.slice(end)}`;
}
