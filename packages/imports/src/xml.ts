import { SaxesParser } from 'saxes';
import { refusalAt } from './books.ts';

/** An element: its name with and without its prefix, and the number of the line where its start tag ends. */
interface Tag {
  prefixed: string;
  line: number;
}

/** The callbacks for elements. `text` is the element's own text. */
export interface Handlers {
  open?: (name: string, attributes: Readonly<Record<string, string>>, tag: Tag) => void;
  close?: (name: string, text: string, tag: Tag) => void;
}

const PART = 65_536;

/** Parses XML in chunks. Rejects files that are not well formed, or that have a document type or entities. */
export function readXml(file: string, bytes: Uint8Array, { open, close }: Handlers): void {
  const parser = new SaxesParser();
  const texts: string[] = [];
  parser.on('error', (error) => {
    throw refusalAt({ file, row: parser.line }, `The file is damaged: ${error.message.replace(/^.*\d+:\d+: /, '')}`);
  });
  parser.on('doctype', () => {
    throw refusalAt(
      file,
      'The file has a document type declaration, which accounting files never have. Export it again.',
    );
  });
  parser.on('opentag', ({ name, attributes }) => {
    texts.push('');
    open?.(local(name), attributes, { prefixed: name, line: parser.line });
  });
  const add = (text: string): void => {
    if (texts.length > 0) texts.push(`${texts.pop() ?? ''}${text}`);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    close?.(local(name), texts.pop() ?? '', { prefixed: name, line: parser.line });
  });
  const decoder = new TextDecoder('utf-8');
  for (let at = 0; at < bytes.length; at += PART) {
    parser.write(decoder.decode(bytes.subarray(at, at + PART), { stream: true }));
  }
  parser.write(decoder.decode());
  parser.close();
}

/** Returns an element name without its namespace prefix. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);
