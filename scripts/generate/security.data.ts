// OWASP ASVS 5.0, level 1, for docs/security.md. Each requirement is in our own words, with an explanation of how it is
// met and the test that proves it. A test is referenced as `path :: part of its title`, and text as `path # a sentence
// in it`.

/**
 * `met` by Evenkeel; met with the `operator`'s help; `absent` if the requirement doesn't apply; `open` if it is not
 * met.
 */
export type State = 'met' | 'operator' | 'absent' | 'open';

export interface Requirement {
  id: string;
  wants: string;
  how: string;
  /** The test or text that proves that the requirement is met. */
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
const HEADERS = `${SERVE} :: every response has the security headers`;
const SAVED = `${FILES} :: is always downloaded and never shown`;
const POLICY = 'SECURITY.md #';

const NO_TOKENS = 'Session tokens are random and looked up in the database. No token contains data.';
const HASHED = `${SIGNIN} :: the database stores only the hash of a token`;
const NO_OAUTH = 'Evenkeel is not an authorization server and uses none.';
const DECLARED = `${ENDPOINTS} :: every endpoint in the contract has a route`;

export const requirements: readonly Requirement[] = [
  {
    id: '1.2.1',
    wants: 'Output is encoded for its context',
    how: 'React encodes text. Encoders write JSON, headers, and file names. A strict content security policy is a second defense.',
    shown: SAVED,
  },
  {
    id: '1.2.2',
    wants: 'URLs are built from encoded parts with safe schemes',
    how: 'Each part of a URL is encoded. Configured URLs must be http or https.',
    shown: 'apps/server/src/platform/config.test.ts :: with one line that names the variable',
  },
  {
    id: '1.2.3',
    wants: 'Scripts and JSON are not concatenated from text',
    how: 'No script is generated. The JavaScript engine writes JSON, and the parser ignores prototype keys.',
    shown: 'apps/server/src/platform/http/body.test.ts :: a __proto__ key in a body does not change any object',
  },
  {
    id: '1.2.4',
    wants: 'Statements use parameters',
    how: 'The `sql` tag turns each value into a parameter, and the style checks reject concatenated SQL.',
    shown: `${ENDPOINTS} :: never returns 5xx for a wrong type in a single field`,
  },
  {
    id: '1.2.5',
    wants: 'Operating system commands are not built from input',
    how: 'Only the PostgreSQL supervisor starts programs, without a shell and with fixed arguments.',
    shown: 'scripts/tidy.test.ts :: the PostgreSQL supervisor imports no Evenkeel code',
  },
  {
    id: '1.3.1',
    wants: 'HTML from users is sanitized',
    how: "Users can't enter HTML. Texts are plain, also in PDFs and emails.",
    shown: 'apps/server/src/platform/pdf/invoice.test.ts :: is printed as text and never opened',
    state: 'absent',
  },
  {
    id: '1.3.2',
    wants: 'Text is not executed',
    how: 'The linter rejects dynamic code, and the content security policy forbids it in the browser.',
    shown: HEADERS,
  },
  {
    id: '1.5.1',
    wants: 'XML parsers ignore external entities',
    how: 'Bank statements with a document type or an entity are rejected.',
    shown: 'packages/statements/src/read.test.ts :: rejects %s with a one-sentence message',
  },
  {
    id: '2.1.1',
    wants: 'Validation rules are documented',
    how: 'The contract declares each field once. /api/openapi.json and docs/api.md are generated from it.',
    shown: 'packages/contract/src/openapi.test.ts :: an operation declares its path parameters',
  },
  {
    id: '2.2.1',
    wants: 'Input is validated',
    how: 'The contract checks types, lengths, ranges, and dates, and core checks the bookkeeping rules. Unknown keys are ignored.',
    shown: `${HOSTILE} :: hostile requests get a status below 500`,
  },
  {
    id: '2.2.2',
    wants: 'The server validates everything',
    how: 'Forms use the functions of core, and the server calls them again for each request.',
    shown: `${HOSTILE} :: an invoice with the date`,
  },
  {
    id: '2.3.1',
    wants: "Steps can't be skipped",
    how: 'Each request checks accepted terms, two-step verification, and setup. Documents are checked while they are locked.',
    shown: `${ENDPOINTS} :: only the terms, the setup, and sign-out are open before two-step verification is set up`,
  },
  {
    id: '3.2.1',
    wants: 'Responses are not interpreted as another type',
    how: 'Every response has nosniff. Files are sent as sandboxed downloads.',
    shown: SAVED,
  },
  {
    id: '3.2.2',
    wants: 'Text is displayed as text',
    how: 'Only React renders, and no code sets HTML. The content security policy allows no inline script.',
    shown: HEADERS,
  },
  {
    id: '3.3.1',
    wants: 'Cookies are Secure and prefixed',
    how: 'The application uses no cookies. The token is in the Authorization header.',
    shown: HEADERS,
    state: 'absent',
  },
  {
    id: '3.4.1',
    wants: 'HSTS for one year on every response',
    how: 'Every response has the header if PUBLIC_URL or the trusted proxy uses https.',
    shown: 'apps/server/src/platform/http/headers.test.ts :: tells browsers to keep using HTTPS',
  },
  {
    id: '3.4.2',
    wants: 'CORS allows only fixed origins',
    how: "No response has a CORS header, so other origins can't read any.",
    shown: HEADERS,
  },
  {
    id: '3.5.1',
    wants: 'Cross-site requests are rejected',
    how: "Browsers never add the Authorization header automatically, and other origins can't set it.",
    shown: `${ENDPOINTS} :: returns 401`,
  },
  {
    id: '3.5.2',
    wants: "Requests that rely on a preflight can't avoid it",
    how: 'Writes need the Authorization header, or a JSON type before sign-in. Both require a preflight, which is rejected.',
    shown: `${ENDPOINTS} :: returns 400 for invalid JSON and 415 for another content type`,
  },
  {
    id: '3.5.3',
    wants: 'Safe methods change nothing',
    how: 'A GET runs in a read-only transaction.',
    shown: `${SERVE} :: a call that is declared as a read cannot write`,
  },
  {
    id: '4.1.1',
    wants: 'Responses declare their type and charset',
    how: 'JSON, pages, and metrics declare their type and UTF-8.',
    shown: HEADERS,
  },
  {
    id: '4.4.1',
    wants: 'WebSockets are encrypted',
    how: 'The application uses no WebSockets.',
    shown: DECLARED,
    state: 'absent',
  },
  {
    id: '5.2.1',
    wants: 'File size is limited',
    how: 'MAX_UPLOAD_MB is checked before and during the upload.',
    shown: `${FILES} :: is rejected as soon as it exceeds the limit`,
  },
  {
    id: '5.2.2',
    wants: 'File content matches the name',
    how: 'The first bytes determine the kind. Files of unknown kinds can only be downloaded.',
    shown: SAVED,
  },
  {
    id: '5.3.1',
    wants: 'Uploads are never executed',
    how: 'Files are stored in the database and sent with a sandbox policy.',
    shown: SAVED,
  },
  {
    id: '5.3.2',
    wants: "Paths don't use names from clients",
    how: "During an upload, the file has no name. The client's name is a column.",
    shown: `${FILES} :: upload that is interrupted halfway leaves no data`,
  },
  {
    id: '6.1.1',
    wants: 'Sign-in limits are documented',
    how: 'SECURITY.md lists the limits, their durations, and the ways for the owner to sign in.',
    shown: `${POLICY} After ten failures for one account from one network`,
  },
  {
    id: '6.2.1',
    wants: 'Passwords have at least 8 characters',
    how: 'PASSWORD_MIN is 6 by default because API clients expect it. The files in deploy/ set 8, and the maximum is 64.',
    shown: `${REGISTER} :: PASSWORD_MIN raises the minimum length`,
    state: 'operator',
  },
  {
    id: '6.2.2',
    wants: 'Users can change their password',
    how: 'Users change it under Account.',
    shown: `${REGISTER} :: changing a password keeps this session`,
  },
  {
    id: '6.2.3',
    wants: 'A change requires the current password',
    how: 'The current password is required, with a limit on attempts.',
    shown: `${REGISTER} :: guessing a password returns 429 after 10 attempts in a session`,
  },
  {
    id: '6.2.4',
    wants: 'The 3,000 most common passwords are rejected',
    how: "A list of 49,000 leaked passwords is rejected, and so are keyboard patterns, one repeated character, and the user's address and company. With PASSWORD_MIN=10 or more, fewer than 3,000 entries of the list are long enough.",
    shown: 'apps/server/src/across/auth/passwords.test.ts :: the 3,000 most common passwords',
  },
  {
    id: '6.2.5',
    wants: 'Passwords can contain any characters',
    how: 'Only the length and the list of common passwords matter.',
    shown:
      'packages/core/src/registration.test.ts :: a password of only punctuation is accepted, and so is a common word',
  },
  {
    id: '6.2.6',
    wants: 'Password fields are masked',
    how: 'The fields have the type password and a button that shows the text.',
    shown: `${FORM} :: are masked, allow pasting, and are labeled for password managers`,
  },
  {
    id: '6.2.7',
    wants: 'Pasting and password managers work',
    how: 'Fields have autocomplete attributes, and pasting is allowed.',
    shown: `${FORM} :: are masked, allow pasting, and are labeled for password managers`,
  },
  {
    id: '6.2.8',
    wants: 'Passwords are checked unchanged',
    how: 'The bytes are hashed unchanged. Passwords over 256 bytes are rejected, not truncated.',
    shown: 'apps/server/src/across/auth/passwords.test.ts :: a password of 257 bytes never matches',
  },
  {
    id: '6.3.1',
    wants: 'Password guessing is limited as documented',
    how: 'The database stores limits by account and network for all processes.',
    shown: `${SIGNIN} :: guesses share one limit per account`,
  },
  {
    id: '6.3.2',
    wants: 'There are no default accounts',
    how: 'A link that is printed once creates the first account. The demo generates its passwords.',
    shown: 'apps/server/src/process/operator.test.ts :: prints one link that registers a company once',
  },
  {
    id: '6.4.1',
    wants: 'Links and codes are random and expire',
    how: 'Links have 256 bits, are stored as hashes, and work once. Reset links expire after an hour and invitations after seven days.',
    shown: `${REGISTER} :: a link that is 61 minutes old has expired`,
  },
  {
    id: '6.4.2',
    wants: 'There are no password hints or secret questions',
    how: 'The application has neither.',
    shown: DECLARED,
    state: 'absent',
  },
  {
    id: '7.2.1',
    wants: 'The server verifies sessions',
    how: 'Each request looks up its session.',
    shown: 'apps/server/src/platform/http/session.test.ts :: each finds its own session or none',
  },
  {
    id: '7.2.2',
    wants: 'Tokens are generated, not static',
    how: 'Each sign-in creates a token. API keys are random, end after at most a year, and can be revoked.',
    shown: `${SIGNIN} :: a sign-in returns the user and their permissions in the API format`,
  },
  {
    id: '7.2.3',
    wants: 'Tokens have 128 random bits',
    how: "Tokens have 256 bits from the system's random generator and are stored as SHA-256 hashes.",
    shown: HASHED,
  },
  {
    id: '7.2.4',
    wants: 'Signing in replaces the token',
    how: 'Each sign-in has a separate token, and accepting the terms replaces it. Account lists the sessions on other devices.',
    shown: `${SIGNIN} :: and accepting them replaces the token`,
  },
  {
    id: '7.4.1',
    wants: "An ended session can't be used",
    how: 'Every process rejects the session from the next request on.',
    shown: `${SIGNIN} :: after a user signs out, the token is invalid`,
  },
  {
    id: '7.4.2',
    wants: 'Removing a user ends all sessions',
    how: 'Sessions end immediately, and pending links and emails become invalid.',
    shown: 'apps/server/src/across/auth/users.test.ts :: a removed user is signed out',
  },
  {
    id: '8.1.1',
    wants: 'Access rules are documented',
    how: "SECURITY.md describes the rules, and docs/api.md lists each call's permission from the contract.",
    shown: `${POLICY} Each call declares its permission`,
  },
  {
    id: '8.2.1',
    wants: 'Functions require a permission',
    how: "The server doesn't start if an endpoint declares none.",
    shown: `${ENDPOINTS} :: returns 403`,
  },
  {
    id: '8.2.2',
    wants: "Users can't access other users' records",
    how: 'The company comes only from the session, and row-level security checks each statement.',
    shown: `${ENDPOINTS} :: from another company and changes no row`,
  },
  {
    id: '8.3.1',
    wants: 'The server enforces access',
    how: 'Each request reads the role and permissions with the session. The browser only hides controls.',
    shown: 'apps/server/src/across/auth/roles.test.ts :: a changed role takes effect with its',
  },
  { id: '9.1.1', wants: 'Self-contained tokens are signed', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '9.1.2', wants: 'Token algorithms are an allowlist', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '9.1.3', wants: 'Token keys come from trusted sources', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '9.2.1', wants: 'Token validity periods are checked', how: NO_TOKENS, shown: HASHED, state: 'absent' },
  { id: '10.4.1', wants: 'OAuth: redirect URIs are registered', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  { id: '10.4.2', wants: 'OAuth: codes work once', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  { id: '10.4.3', wants: 'OAuth: codes expire within ten minutes', how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  {
    id: '10.4.4',
    wants: 'OAuth: clients have only the grants that they need',
    how: NO_OAUTH,
    shown: DECLARED,
    state: 'absent',
  },
  { id: '10.4.5', wants: "OAuth: refresh tokens can't be replayed", how: NO_OAUTH, shown: DECLARED, state: 'absent' },
  {
    id: '11.3.1',
    wants: 'No weak modes or padding',
    how: 'Only AES-256-GCM is used, with a nonce for each value.',
    shown: 'apps/server/src/platform/db/box.test.ts :: the same number is encrypted differently each time',
  },
  {
    id: '11.3.2',
    wants: 'Approved ciphers',
    how: "Node's crypto library encrypts with AES-256-GCM and binds each value to its row.",
    shown: 'apps/server/src/platform/db/box.test.ts :: a value that was encrypted for another company',
  },
  {
    id: '11.4.1',
    wants: 'Approved hashes',
    how: 'SHA-256 is used for chains, seals, and tokens, and argon2id for passwords. SHA-1 is used only in TOTP, as its standard requires.',
    shown: 'apps/server/src/across/auth/passwords.test.ts :: production hashes use 19 MiB',
  },
  {
    id: '12.1.1',
    wants: 'Only TLS 1.2 and 1.3',
    how: 'The proxy provides TLS. The example configuration allows only these versions.',
    shown: 'docs/operations.md # ssl_protocols TLSv1.2 TLSv1.3;',
    state: 'operator',
  },
  {
    id: '12.2.1',
    wants: 'TLS for all client connections',
    how: 'By default, the server listens only on the loopback address, so clients must use the proxy.',
    shown: 'apps/server/src/process/operator.test.ts :: the server listens only on',
    state: 'operator',
  },
  {
    id: '12.2.2',
    wants: 'Publicly trusted certificates',
    how: 'The proxy has the certificate.',
    shown: 'docs/operations.md # Put a reverse proxy with TLS in front of it',
    state: 'operator',
  },
  {
    id: '13.4.1',
    wants: 'No .git directory is served',
    how: 'The container image has none, and from a checkout only the built web application is served.',
    shown: 'scripts/test/deploy.test.ts :: contains neither sources nor secrets',
  },
  {
    id: '14.2.1',
    wants: 'Secrets are not in URLs',
    how: 'Session tokens are in headers. Links in emails contain a token that works once and is never logged.',
    shown: 'apps/server/src/process/operator.test.ts :: the log contains no password',
  },
  {
    id: '14.3.1',
    wants: 'The browser clears data at sign-out',
    how: 'The cache, drafts, and past alerts are cleared. After a session expires, drafts stay only for the same user.',
    shown: 'apps/web/src/client/session.test.ts :: clears the cache, the data on the device',
  },
  {
    id: '15.1.1',
    wants: 'Times for fixing vulnerable packages are documented',
    how: 'SECURITY.md sets two days, two weeks, or the next release, by severity.',
    shown: `${POLICY} A known vulnerability in a package is fixed`,
  },
  {
    id: '15.2.1',
    wants: 'Packages are updated within these times',
    how: 'package-lock.json pins every version. Before a release, `npm audit --omit=dev` must report nothing.',
    shown: `${POLICY} npm audit --omit=dev`,
    state: 'operator',
  },
  {
    id: '15.3.1',
    wants: 'Responses contain only declared fields',
    how: 'An encoder compiled from each schema drops all other keys.',
    shown: `${ENDPOINTS} :: returns a response that matches its schema, or an error`,
  },
];
