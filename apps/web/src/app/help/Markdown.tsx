import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';

/** The subset of Markdown that topics use: headings, lists, bold text, and links. */

type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'steps' | 'list'; items: readonly string[] };

const ITEM = /^(?:-|\d+\.) /;

function blockOf(part: string): Block {
  const lines = part.split('\n');
  const [first = ''] = lines;
  if (first.startsWith('## ')) return { kind: 'heading', text: first.slice(3) };
  if (!ITEM.test(first)) return { kind: 'text', text: lines.join(' ') };
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return { kind: first.startsWith('-') ? 'list' : 'steps', items };
}

export interface MarkdownProps {
  text: string;
  /** Opens another topic, for example `[Work Items](#work-items)`. */
  onTopic: (id: string) => void;
  /** Returns whether the user can open a screen. Links to other screens are plain text. */
  opens: (address: string) => boolean;
  /** Called after the user follows a link to a screen. */
  onLeave: () => void;
}

export function Markdown({ text, ...ways }: MarkdownProps) {
  return text.split(/\n{2,}/).map((part) => <BlockView key={part} block={blockOf(part)} ways={ways} />);
}

type Ways = Omit<MarkdownProps, 'text'>;

function BlockView({ block, ways }: { block: Block; ways: Ways }) {
  if (block.kind === 'heading') return <h4>{block.text}</h4>;
  if (block.kind === 'text') return <p>{inline(block.text, ways)}</p>;
  const items = block.items.map((item) => <li key={item}>{inline(item, ways)}</li>);
  return block.kind === 'steps' ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function inline(text: string, ways: Ways): ReactNode[] {
  return text.split(/(\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((piece, at) => {
    const key = `${at}${piece}`;
    if (piece.startsWith('**')) return <b key={key}>{piece.slice(2, -2)}</b>;
    const [, words, to] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece) ?? [];
    if (words === undefined || to === undefined) return <Fragment key={key}>{piece}</Fragment>;
    return <Way key={key} words={words} to={to} ways={ways} />;
  });
}

function Way({ words, to, ways: { onTopic, opens, onLeave } }: { words: string; to: string; ways: Ways }) {
  if (to.startsWith('#')) {
    return (
      <button type="button" className="ek-link" onClick={() => onTopic(to.slice(1))}>
        {words}
      </button>
    );
  }
  if (!opens(to)) return words;
  return (
    <Link to={to} onClick={onLeave}>
      {words}
    </Link>
  );
}
