// OWASP ASVS 5.0, level 1: each requirement in own words, how it is met, and the test that shows it, for
// docs/security.md. A test is named by `path :: part of its title`, a text by `path # a sentence in it`.

/** `met` by the program; with an `operator`'s part; `absent` where the program has no such thing; `open` not met. */
export type State = 'met' | 'operator' | 'absent' | 'open';

export interface Requirement {
  id: string;
  wants: string;
  how: string;
  /** A test or a text. */
  shown: string;
  state?: State;
}

const SERVE = 'apps/server/src/platform/http/serve.test.ts';
const ENDPOINTS = 'apps/server/src/platform/http/endpoints.test.ts';
const HOSTILE = 'apps/server/src/platform/http/hostile.property.test.ts';
const SIGNIN = 'apps/server/src/across/auth/signin.test.ts';
const REGISTER = 'apps/server/src/across/auth/register.test.ts';
const FILES = 'apps/server/src/books/attachments/files.test.ts';
const FORM = 'apps/web/src/screens/auth/PasswordCard.test.tsx';
const HEADERS = `${SERVE} :: every answer carries the security headers`;
const SAVED = `${FILES} :: is only ever saved, never shown`;
const POLICY = 'SECURITY.md #';

const NO_TOKENS = 'Sessions are random and looked up; no token carries its own content.';
const HASHED = `${SIGNIN} :: only its hash is stored`;
const NO_OAUTH = 'The program is no authorization server and asks none.';
const DECLARED = `${ENDPOINTS} :: every endpoint of the contract is bound to a route`;

export const requirements: readonly Requirement[] = [
  {
    id: '1.2.1',
    wants: 'Output is encoded for where it goes',
    how: 'React sets text; JSON, headers and file names are written by encoders; a strict content policy stands behind.',
    shown: SAVED,
  },
  {
    id: '1.2.2',
    wants: 'Addresses are built from encoded parts, with safe schemes',
    how: 'Calls encode each part; the only addresses that are configured must be http or https.',
    shown: 'apps/server/src/platform/config.test.ts :: is refused in one line that names it',
  },
  {
    id: '1.2.3',
    wants: 'Scripts and JSON are not put together from text',
    how: 'No script is generated; JSON is written by the engine, and read without a prototype of its own.',
    shown: 'apps/server/src/platform/http/body.test.ts :: a __proto__ key changes no object',
  },
  {
    id: '1.2.4',
    wants: 'Statements take values as parameters',
    how: 'The sql tag makes each value a parameter; the style guide refuses SQL that is put together.',
    shown: `${ENDPOINTS} :: never answers 5xx to a wrong type in any one field`,
  },
  {
    id: '1.2.5',
    wants: 'No command of the system is built from input',
    how: 'The supervisor alone starts programs, without a shell and with arguments of its own.',
    shown: 'scripts/tidy.test.ts :: the supervisor of PostgreSQL imports nothing of ours',
  },
  {
    id: '1.3.1',
    wants: 'HTML that people write is sanitized',
    how: 'Nobody writes HTML: texts are plain, also on paper and in e-mails.',
    shown: 'apps/server/src/platform/pdf/invoice.test.ts :: is printed and never opened',
    state: 'absent',
  },
  {
    id: '1.3.2',
    wants: 'Text is not run as a program',
    how: 'The linter refuses it, and the content policy forbids it in the browser; schemas are read without it.',
    shown: HEADERS,
  },
  {
    id: '1.5.1',
    wants: 'XML is read without external parts',
    how: 'A bank statement with a document type or an entity is refused.',
    shown: 'packages/statements/src/read.test.ts :: is refused in one sentence',
  },
  {
    id: '2.1.1',
    wants: 'Rules for input are written down',
    how: 'The contract declares each field once; /api/openapi.json and docs/api.md are made of it.',
    shown: 'packages/contract/src/openapi.test.ts :: an operation has its path parameter',
  },
  {
    id: '2.2.1',
    wants: 'Input is held to what is allowed',
    how: 'Types, lengths, ranges and dates of the contract, then the rules of core; unknown keys are dropped.',
    shown: `${HOSTILE} :: hostile requests: below 500`,
  },
  {
    id: '2.2.2',
    wants: 'The server judges, whatever the client did',
    how: 'Forms use the functions of core that the server uses again on each request.',
    shown: `${HOSTILE} :: dated`,
  },
  {
    id: '2.3.1',
    wants: 'Steps cannot be skipped',
    how: 'Terms, second factor and set-up are asked on each request; documents are checked behind their locks.',
    shown: `${ENDPOINTS} :: the terms, the set-up and the way out are open, and nothing else`,
  },
  {
    id: '3.2.1',
    wants: 'An answer is not shown as something else',
    how: 'nosniff everywhere; files are sent as downloads in a sandbox.',
    shown: SAVED,
  },
  {
    id: '3.2.2',
    wants: 'Text is shown as text',
    how: 'React alone draws, and nothing sets HTML; the content policy allows no inline script.',
    shown: HEADERS,
  },
  {
    id: '3.3.1',
    wants: 'Cookies are Secure and prefixed',
    how: 'There is no cookie: the token travels in the Authorization header.',
    shown: HEADERS,
    state: 'absent',
  },
  {
    id: '3.4.1',
    wants: 'HSTS of a year on every answer',
    how: 'Sent on all answers once PUBLIC_URL or the trusted proxy says https.',
    shown: 'apps/server/src/platform/http/headers.test.ts :: tells a browser to stay with https',
  },
  {
    id: '3.4.2',
    wants: 'CORS names fixed origins',
    how: 'No answer has a CORS header, so no other origin reads one.',
    shown: HEADERS,
  },
  {
    id: '3.5.1',
    wants: 'Requests of other sites are refused',
    how: 'A browser never adds the Authorization header by itself, and no other origin may set it.',
    shown: `${ENDPOINTS} :: answers 401`,
  },
  {
    id: '3.5.2',
    wants: 'Nothing is reached without the preflight that is relied on',
    how: 'Writes need the Authorization header, or a JSON type before sign-in; both ask for a preflight, which is refused.',
    shown: `${ENDPOINTS} :: answers 400 to what is no JSON, 415 to what is no JSON type`,
  },
  {
    id: '3.5.3',
    wants: 'Safe methods change nothing',
    how: 'A GET runs in a transaction that cannot write.',
    shown: `${SERVE} :: a call that is declared to read cannot write`,
  },
  {
    id: '4.1.1',
    wants: 'Answers say their type and charset',
    how: 'JSON, pages and figures carry their type with UTF-8.',
    shown: HEADERS,
  },
  {
    id: '4.4.1',
    wants: 'WebSockets are encrypted',
    how: 'There is none.',
    shown: DECLARED,
    state: 'absent',
  },
  {
    id: '5.2.1',
    wants: 'Files have a bound',
    how: 'MAX_UPLOAD_MB, judged before and while the file comes in.',
    shown: `${FILES} :: is refused as soon as it is too long`,
  },
  {
    id: '5.2.2',
    wants: 'A file is what its name says',
    how: 'The first bytes decide its kind, whatever the name; what is of no known kind can only be saved.',
    shown: SAVED,
  },
  {
    id: '5.3.1',
    wants: 'Uploads are never run',
    how: 'They lie in the database and are sent with a sandbox policy.',
    shown: SAVED,
  },
  {
    id: '5.3.2',
    wants: 'Paths are not made of names that clients send',
    how: 'While a file comes in it has no name at all; its own is a column.',
    shown: `${FILES} :: cut off in the middle leaves nothing behind`,
  },
  {
    id: '6.1.1',
    wants: 'Limits on sign-in are written down',
    how: 'SECURITY.md says what is counted, for how long, and how the owner still comes in.',
    shown: `${POLICY} After ten failures for one account from one network`,
  },
  {
    id: '6.2.1',
    wants: 'Passwords have 8 characters and more',
    how: 'PASSWORD_MIN is 6 by default, as clients of the API expect; deploy/ sets 8, and an operator may ask for up to 64.',
    shown: `${REGISTER} :: PASSWORD_MIN raises the least length`,
    state: 'operator',
  },
  {
    id: '6.2.2',
    wants: 'People can change their password',
    how: 'Under Account.',
    shown: `${REGISTER} :: this session goes on, the others end`,
  },
  {
    id: '6.2.3',
    wants: 'A change takes the current password',
    how: 'It does, with a limit on guesses.',
    shown: `${REGISTER} :: is not guessed by whoever has the session`,
  },
  {
    id: '6.2.4',
    wants: 'The 3,000 commonest passwords are refused',
    how: 'All 49,000 of a list of leaked ones are, with runs of keys and digits, one repeated letter, one’s address and company. From PASSWORD_MIN=10 on the list has fewer than 3,000 that fit.',
    shown: 'apps/server/src/across/auth/passwords.test.ts :: characters and more are refused',
  },
  {
    id: '6.2.5',
    wants: 'Any characters may make a password',
    how: 'Only length and commonness are judged.',
    shown: 'packages/core/src/registration.test.ts :: with marks alone, or a common word among others',
  },
  {
    id: '6.2.6',
    wants: 'Password fields are masked',
    how: 'They are of type password, with a button that shows what was typed.',
    shown: `${FORM} :: are masked, may be pasted into, and say to password managers what they are`,
  },
  {
    id: '6.2.7',
    wants: 'Pasting and password managers work',
    how: 'Fields say what they are, and nothing is kept from being pasted.',
    shown: `${FORM} :: are masked, may be pasted into, and say to password managers what they are`,
  },
  {
    id: '6.2.8',
    wants: 'A password is checked as it was typed',
    how: 'Its bytes go to the hash unchanged; more than 256 are refused, not cut.',
    shown: 'apps/server/src/across/auth/passwords.test.ts :: a password of 257 bytes never matches',
  },
  {
    id: '6.3.1',
    wants: 'Guessing is held back as written down',
    how: 'Limits by account and network in the database, over all processes.',
    shown: `${SIGNIN} :: the owner still comes in from a known place, or by a reset`,
  },
  {
    id: '6.3.2',
    wants: 'No account comes with the program',
    how: 'The first one is made by a link that is printed once. The demo makes its own passwords.',
    shown: 'apps/server/src/process/operator.test.ts :: prints one link, which registers a company once',
  },
  {
    id: '6.4.1',
    wants: 'Links and codes are random and short-lived',
    how: '256 bits, stored as hashes, used once: an hour for a reset, seven days for an invitation.',
    shown: `${REGISTER} :: a link of 61 minutes ago is dead`,
  },
  {
    id: '6.4.2',
    wants: 'No hints or secret questions',
    how: 'There are none.',
    shown: DECLARED,
    state: 'absent',
  },
  {
    id: '7.2.1',
    wants: 'The server verifies sessions',
    how: 'Each request looks its session up.',
    shown: 'apps/server/src/platform/http/session.test.ts :: each finds its own session or none',
  },
  {
    id: '7.2.2',
    wants: 'Tokens are made anew, never fixed keys',
    how: 'A token for each sign-in; there are no API keys.',
    shown: `${SIGNIN} :: login answers who one is`,
  },
  {
    id: '7.2.3',
    wants: 'Tokens have 128 random bits',
    how: '256 bits of the system’s generator; SHA-256 of them is stored.',
    shown: HASHED,
  },
  {
    id: '7.2.4',
    wants: 'Signing in makes a new token and ends the old one',
    how: 'Each sign-in has a token of its own, and accepting the terms replaces it. Sessions of other devices are under Account.',
    shown: `${SIGNIN} :: and acceptance replaces the token`,
  },
  {
    id: '7.4.1',
    wants: 'An ended session is dead',
    how: 'From the next request on, in every process.',
    shown: `${SIGNIN} :: after logout the token is dead`,
  },
  {
    id: '7.4.2',
    wants: 'Removing a person ends all sessions',
    how: 'At once, with what links and e-mails were on the way.',
    shown: 'apps/server/src/across/auth/users.test.ts :: a removed user is signed out at once',
  },
  {
    id: '8.1.1',
    wants: 'Rules of access are written down',
    how: 'SECURITY.md gives the rule; docs/api.md has the permission of each call, from the contract.',
    shown: `${POLICY} Each call declares its permission`,
  },
  {
    id: '8.2.1',
    wants: 'Functions need a permission',
    how: 'An endpoint without one does not start the server.',
    shown: `${ENDPOINTS} :: answers 403`,
  },
  {
    id: '8.2.2',
    wants: 'Records of others are out of reach',
    how: 'The company comes from the session alone; row-level security stands behind each statement.',
    shown: `${ENDPOINTS} :: refuses a foreign`,
  },
  {
    id: '8.3.1',
    wants: 'The server decides about access',
    how: 'Role and rights are read with the session on each request; the browser only hides.',
    shown: 'apps/server/src/across/auth/roles.test.ts :: a changed role is felt by its users on their next call',
  },
  { id: '9.1.1', wants: 'Self-contained tokens are signed', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '9.1.2', wants: 'Their algorithms are listed', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '9.1.3', wants: 'Their keys are known before', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '9.2.1', wants: 'Their times are kept', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '10.4.1', wants: 'OAuth: redirects are registered', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  { id: '10.4.2', wants: 'OAuth: a code counts once', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  { id: '10.4.3', wants: 'OAuth: a code lives ten minutes', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  { id: '10.4.4', wants: 'OAuth: a client has the grants it needs', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  { id: '10.4.5', wants: 'OAuth: refresh tokens are not replayed', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  {
    id: '11.3.1',
    wants: 'No weak modes or paddings',
    how: 'AES-256-GCM alone, with a nonce for each value.',
    shown: 'apps/server/src/platform/db/box.test.ts :: seals the same number differently each time',
  },
  {
    id: '11.3.2',
    wants: 'Approved ciphers',
    how: 'AES-256-GCM by Node’s own library, bound to the place of the value.',
    shown: 'apps/server/src/platform/db/box.test.ts :: opens nothing in another company, table, column or row',
  },
  {
    id: '11.4.1',
    wants: 'Approved hashes',
    how: 'SHA-256 for chains, seals and tokens, argon2id for passwords; SHA-1 only inside TOTP, whose norm has it.',
    shown: 'apps/server/src/across/auth/passwords.test.ts :: production hashes cost 19 MiB',
  },
  {
    id: '12.1.1',
    wants: 'TLS 1.2 and 1.3 alone',
    how: 'The proxy in front speaks TLS, with these two as the example has it.',
    shown: 'docs/operations.md # ssl_protocols TLSv1.2 TLSv1.3;',
    state: 'operator',
  },
  {
    id: '12.2.1',
    wants: 'TLS on every way in',
    how: 'The program listens on the loopback address unless told otherwise, so the proxy is the only way in.',
    shown: 'apps/server/src/process/operator.test.ts :: listens on the loopback address alone',
    state: 'operator',
  },
  {
    id: '12.2.2',
    wants: 'Certificates that browsers trust',
    how: 'Those of the proxy.',
    shown: 'docs/operations.md # Put a reverse proxy with TLS in front of it',
    state: 'operator',
  },
  {
    id: '13.4.1',
    wants: 'No .git where it is served',
    how: 'The image has none; in a checkout only the built web application is served.',
    shown: 'scripts/test/deploy.test.ts :: carries neither sources nor a secret',
  },
  {
    id: '14.2.1',
    wants: 'Secrets are in no address',
    how: 'Tokens are in headers. Links in e-mails have theirs, count once, and stand in no log.',
    shown: 'apps/server/src/process/operator.test.ts :: the log tells no password',
  },
  {
    id: '14.3.1',
    wants: 'The browser forgets at sign-out',
    how: 'Cache, drafts and past alerts go; after a session that ended by itself drafts stay for the same person alone.',
    shown: 'apps/web/src/client/session.test.ts :: empties the cache, what is kept on the device',
  },
  {
    id: '15.1.1',
    wants: 'Times for mending weak packages are written down',
    how: 'SECURITY.md: two days, two weeks, or the next release, by severity.',
    shown: `${POLICY} A known vulnerability in a package is fixed`,
  },
  {
    id: '15.2.1',
    wants: 'Packages are within those times',
    how: 'Every version is pinned by package-lock.json; a release is made after `npm audit --omit=dev` says nothing.',
    shown: `${POLICY} npm audit --omit=dev`,
    state: 'operator',
  },
  {
    id: '15.3.1',
    wants: 'Answers have the declared fields only',
    how: 'A step that is compiled from each schema keeps its keys and drops all others.',
    shown: `${ENDPOINTS} :: answers by its schema or refuses`,
  },
];
