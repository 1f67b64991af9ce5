import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** The test mail server's response to the next email to an address. */
export type Answer = 'refuse' | 'later' | 'hang up' | 'stall';

export interface TestSmtp {
  url: string;
  /** The server's responses by address. Emails to other addresses are accepted. */
  answers: Map<string, Answer>;
  /** The emails that the server received completely, even if it did not confirm them. */
  received: { to: string; text: string; files: string[] }[];
  close: () => Promise<void>;
}

/**
 * Starts a local mail server. For 'hang up' and 'stall', the server first receives the email completely. For 'hang up',
 * it then disconnects, and for 'stall', it never responds.
 */
export async function startSmtp(): Promise<TestSmtp> {
  const answers = new Map<string, Answer>();
  const received: TestSmtp['received'] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const answer = answers.get(address);
      const refused = { refuse: [550, '5.1.1 user unknown'], later: [451, '4.7.1 try again later'] } as const;
      if (answer !== 'refuse' && answer !== 'later') return done();
      const [responseCode, message] = refused[answer];
      done(Object.assign(new Error(message), { responseCode }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        received.push({ to, ...read(Buffer.concat(chunks).toString()) });
        if (answers.get(to) === 'hang up') for (const socket of sockets) socket.destroy();
        else if (answers.get(to) !== 'stall') done();
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    answers,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Returns the decoded headers and text with unfolded lines, and the beginning of each attached PDF. */
function read(data: string): { text: string; files: string[] } {
  const lines = data.replace(/=\r\n/g, '').replace(/\r\n[ \t]+/g, ' ');
  const files = [...data.matchAll(/base64\r\n(?:\S.*\r\n)*\r\n(\S+)/g)].map(([, first = '']) =>
    Buffer.from(first, 'base64').toString('latin1').slice(0, 5),
  );
  return { text: lines.replace(/^[\w+/=]{60,}$/gm, ''), files };
}
