import { type Logger, pino } from 'pino';
import type { Config } from '../platform/config.ts';

/** The destination of the program's output: the process's stdout, or a test's. */
export interface Out {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

/** The output for the operator: the log, and a few lines for a person. */
export interface Terminal {
  log: Logger;
  /** Writes one line for a person, regardless of the log level. On a terminal, links are highlighted. */
  say: (line: string) => void;
  /**
   * Announces an email in the outbox. Its link appears only on a terminal, because a stored log would expose the
   * secret.
   */
  announce: (title: string, link: string) => void;
  /**
   * Prints the address, the location of the books, and the backup command. Until a company exists, also prints the
   * first-start link.
   */
  welcome: (place: Place, firstLink: string | undefined) => void;
}

export interface Place {
  url: string;
  /** A description of the location of the books: a folder, or the database on a server. */
  books: string;
}

const BACKUP = 'npm run --silent evenkeel -- backup FILE';

/**
 * Opens the output for the operator. On a terminal (or with LOG_FORMAT=pretty), it has lines for a person and the log
 * entries that need attention. Elsewhere (or with LOG_FORMAT=json), the log has one JSON object per line. Lines for a
 * person never start with `{`. With JSON, they contain no link except the first-start link, which becomes invalid when
 * the first company is created.
 */
export function openTerminal({ logFormat, logLevel }: Pick<Config, 'logFormat' | 'logLevel'>, out: Out): Terminal {
  const isPretty = logFormat === undefined ? out.isTTY === true : logFormat === 'pretty';
  if (!isPretty) return plainTerminal(pino({ level: logLevel ?? 'info' }, out), out);
  const log = pino({ level: logLevel ?? 'warn' }, { write: (line: string) => void out.write(`${readable(line)}\n`) });
  return prettyTerminal(log, out);
}

function plainTerminal(log: Logger, out: Out): Terminal {
  const say = (line: string): void => void out.write(`${line}\n`);
  return {
    log,
    say,
    announce: (title) => say(`${title}: the email with the link is in MAIL_DIR`),
    welcome: ({ url, books }, firstLink) => {
      say(`Evenkeel is listening on ${url}`);
      say(`Your books are stored in ${books}. To back them up, run: ${BACKUP}`);
      if (firstLink !== undefined)
        say(`No company has been registered yet. To register the first one, open ${firstLink}`);
    },
  };
}

function prettyTerminal(log: Logger, out: Out): Terminal {
  const hasColor = out.isTTY === true && !process.env['NO_COLOR'];
  const styled = (codes: string, text: string): string => (hasColor ? `\u001b[${codes}m${text}\u001b[0m` : text);
  const strong = (text: string): string => styled('1', text);
  const link = (text: string): string => styled('1;36', text);
  const say = (line: string): void => void out.write(`${line.replace(/https?:\/\/\S+/g, link)}\n`);
  return {
    log,
    say,
    announce: (title, secret) => say(`${title}: ${secret}`),
    welcome: ({ url, books }, firstLink) => {
      out.write(`\n  ${strong('Evenkeel is running')}\n\n`);
      out.write(`  Open      ${link(url)}\n  Books     ${books}\n  Back up   ${BACKUP}\n  Stop      Ctrl+C\n\n`);
      if (firstLink === undefined) return;
      out.write(
        `  ${strong('No company has been registered yet. To register the first one, open:')}\n\n` +
          `  ${link(firstLink)}\n\n`,
      );
      out.write('  The link works only once. A new link is printed each time Evenkeel starts.\n\n');
    },
  };
}

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const hidden = ['level', 'time', 'pid', 'hostname', 'msg', 'err'];

/** Formats a log line for a person: time, level, message, and other fields. A bug is shown with its stack. */
function readable(line: string): string {
  const entry: Record<string, unknown> = JSON.parse(line);
  const time = new Date(Number(entry['time'])).toTimeString().slice(0, 8);
  const rest = Object.entries(entry).filter(([name]) => !hidden.includes(name));
  const told = rest.map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const { err, msg } = entry;
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? `\n${String(err.stack)}` : '';
  const level = LEVELS[Number(entry['level'])] ?? '';
  return `${time} ${level} ${typeof msg === 'string' ? msg : ''}${told.join('')}${stack}`;
}
