import { type Logger, pino } from 'pino';
import type { Config } from '../platform/config.ts';

/** The output of the program: the process's own stdout, or a test's. */
export interface Out {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

/** The operator's output: the log, and the few lines for a person. */
export interface Terminal {
  log: Logger;
  /** One line for a person, whatever the level of the log. A link in it stands out on a terminal. */
  say: (line: string) => void;
  /** A letter that lies in the outbox, with its link on a terminal alone: a kept log would keep the secret. */
  announce: (title: string, link: string) => void;
  /**
   * Prints the address, the place of the books and the way to back them up, and the first company's link while there is
   * no company.
   */
  welcome: (place: Place, firstLink: string | undefined) => void;
}

export interface Place {
  url: string;
  /** The place of the books in words: a folder, or a server's database. */
  books: string;
}

const BACKUP = 'npm run --silent evenkeel -- backup FILE';

/**
 * On a terminal (or LOG_FORMAT=pretty) words for a person, and of the log what needs attention; elsewhere (or with
 * LOG_FORMAT=json) the log as JSON, one object a line. The lines for a person never begin with `{`. Beside JSON the
 * only link among them is the first start's, which ends with the first company.
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
      out.write('  The link works once. Each start prints a new one.\n\n');
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

/** A line of the log as a person reads it: time, level, message, and what else it tells; a defect with its stack. */
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
