// OWASP ASVS 5.0, level 2: the requirements beyond level 1 in own words, how each is met, and the test or text that
// shows it, as in security.data.ts.
import type { Requirement, State } from './security.data.ts';

const SERVER = 'apps/server/src';
const HEADERS = `${SERVER}/platform/http/serve.test.ts :: every answer carries the security headers`;
const ENDPOINTS = `${SERVER}/platform/http/endpoints.test.ts`;
const BOUND = `${ENDPOINTS} :: every endpoint of the contract is bound to a route`;
const FOREIGN = `${ENDPOINTS} :: refuses a foreign`;
const SHAPE = `${ENDPOINTS} :: answers by its schema or refuses`;
const TYPES = `${ENDPOINTS} :: never answers 5xx to a wrong type in any one field`;
const CLEAR = `${ENDPOINTS} :: no table has a secret in clear that was handed out`;
const HOSTILE = `${SERVER}/platform/http/hostile.property.test.ts :: hostile requests: below 500`;
const PROTO = `${SERVER}/platform/http/body.test.ts :: a __proto__ key changes no object`;
const SAVED = `${SERVER}/books/attachments/files.test.ts :: is only ever saved, never shown`;
const PRINTED = `${SERVER}/platform/pdf/invoice.test.ts :: is printed and never opened`;
const XML = 'packages/statements/src/read.test.ts :: is refused in one sentence';
const HASHED = `${SERVER}/across/auth/signin.test.ts :: only its hash is stored`;
const TOTP = `${SERVER}/process/second-factor.test.ts :: guesses over three processes 10 are looked at`;
const COST = `${SERVER}/across/auth/passwords.test.ts :: production hashes cost 19 MiB`;
const COMMON = `${SERVER}/across/auth/passwords.test.ts :: commonest of %i characters and more are refused`;
const CHANGED = `${SERVER}/across/auth/register.test.ts :: this session goes on, the others end`;
const SIGNED_IN = `${SERVER}/across/auth/sign-in-log.test.ts :: a sign-in is logged with pseudonyms`;
const REFUSED = `${SERVER}/across/auth/sign-in-log.test.ts :: refused sign-ins are logged`;
const ACCESS = `${SERVER}/across/auth/sign-in-log.test.ts :: access that is refused`;
const UNTOLD = `${SERVER}/across/auth/sign-in-log.test.ts :: the log has no email address`;
const STRUCK = `${SERVER}/across/auth/sign-in-log.test.ts :: a limit that strikes is logged by its name`;
const SCAN = `${SERVER}/platform/http/safeguards.test.ts :: a file with a virus is refused`;
const COSTLY = `${SERVER}/platform/http/safeguards.test.ts :: a costly call answers 429`;
const FACTOR = `${SERVER}/platform/http/safeguards.test.ts :: an operator who requires a second factor`;
const INVENTORY = `${SERVER}/platform/http/safeguards.test.ts :: has its level in the inventory of data`;
const ROTATED = `${SERVER}/process/key.test.ts :: keeps the old key when killed in the middle`;
const BOX = `${SERVER}/platform/db/box.test.ts :: opens nothing with one bit turned`;
const METRICS = `${SERVER}/app/app.test.ts :: /metrics is open by default on this machine only`;
const PROXY = `${SERVER}/across/auth/signin.test.ts :: X-Forwarded-For does not lift a limit unless TRUST_PROXY is on`;
const LOGS = `${SERVER}/process/operator.test.ts :: the log tells no password, token, cookie or key`;
const LOCAL = `${SERVER}/process/operator.test.ts :: listens on the loopback address alone`;
const AWAY = `${SERVER}/platform/http/serve.test.ts :: while the database is away calls answer 503`;
const IMAGE = 'scripts/test/deploy.test.ts :: owns only its data, and carries neither sources nor a secret';
const FORGETS = 'apps/web/src/client/session.test.ts :: empties the cache, what is kept on the device';
const DOCS = 'docs/safeguards.md #';
const OPERATIONS = 'docs/operations.md #';
const POLICY = 'SECURITY.md #';

const NO_COOKIE = 'There is no cookie: the token travels in the Authorization header.';
const NO_OAUTH = 'The program is no authorization server, no client of one, and takes no tokens of one.';
const NO_IDP = 'There is no other identity provider.';
const NO_SOCKETS = 'There is none.';
const NO_WEBRTC = 'There are no calls, media, or relays.';
const NO_TOKENS = 'Sessions are random and looked up; no token carries its own content.';

type Row = readonly [id: string, wants: string, how: string, shown: string, state?: State];

const absent = (ids: readonly (readonly [id: string, wants: string])[], how: string, shown: string): Row[] =>
  ids.map(([id, wants]) => [id, wants, how, shown, 'absent']);

const rows: readonly Row[] = [
  [
    '1.1.1',
    'Input is decoded once, before it is checked',
    'Path, query, and JSON are decoded by the framework, then checked by the contract; nothing is decoded later.',
    HOSTILE,
  ],
  [
    '1.1.2',
    'Output is encoded last',
    'React, the JSON encoder, and one HTML escape for emails and private pages write the final text.',
    PRINTED,
  ],
  ['1.2.6', 'LDAP queries are safe', 'There is no LDAP.', BOUND, 'absent'],
  ['1.2.7', 'XPath queries are safe', 'Statements in XML are read by a parser without XPath.', XML, 'absent'],
  ['1.2.8', 'LaTeX is confined', 'There is no LaTeX; PDF is drawn by a library without commands.', PRINTED, 'absent'],
  [
    '1.2.9',
    'Text in regular expressions is escaped',
    'No pattern is built from input; filters use LIKE with escaped characters.',
    TYPES,
  ],
  [
    '1.3.3',
    'Text for dangerous places is cut and cleaned first',
    'The contract bounds the length of each text and refuses NUL and lone surrogates.',
    HOSTILE,
  ],
  [
    '1.3.4',
    'SVG of users is cleaned',
    'SVG is never shown: logos are PNG or JPEG, and attached SVG is only saved.',
    SAVED,
  ],
  [
    '1.3.5',
    'Markup of users is cleaned or off',
    'No field is Markdown, CSS, or a template with expressions; texts are plain.',
    PRINTED,
  ],
  ['1.3.6', 'Users cannot make the server send requests', 'The server opens no address that a user enters.', PRINTED],
  [
    '1.3.7',
    'Templates are not built from input',
    'Placeholders of emails are a fixed list of words that are replaced by text; others are refused.',
    `${SERVER}/across/sending/sending.test.ts :: unknown placeholders are refused`,
  ],
  ['1.3.9', 'Text for memcache is cleaned', 'There is no memcache.', BOUND, 'absent'],
  ['1.3.8', 'JNDI queries are safe', 'There is no Java.', BOUND, 'absent'],
  ['1.3.10', 'Format strings are not taken from input', 'The language has none.', TYPES, 'absent'],
  [
    '1.3.11',
    'Text for mail servers is cleaned',
    'Addresses and subjects are one line, checked by the contract, and written by the mail library.',
    `${SERVER}/across/auth/signin.test.ts :: login with %s answers 400`,
  ],
  [
    '1.4.1',
    'Memory is handled safely',
    'TypeScript has no pointers; native parts are Node, PostgreSQL, and image libraries.',
    TYPES,
  ],
  [
    '1.4.2',
    'Integers do not overflow',
    'Cents are checked against safe integers, and sums that no column holds are refused.',
    HOSTILE,
  ],
  [
    '1.4.3',
    'Memory and handles are released',
    'Files and connections are closed in finally; an upload leaves nothing behind.',
    `${SERVER}/books/attachments/files.test.ts :: of 25 MB cut off in the middle leaves nothing behind`,
  ],
  [
    '1.5.2',
    'Objects are read from untrusted data safely',
    'JSON alone, without a prototype, and each field by the contract.',
    PROTO,
  ],
  [
    '2.1.2',
    'Rules across fields are written down',
    'Safeguards lists them, and accounting.md gives the figures.',
    `${DOCS} Combinations are checked by the functions`,
  ],
  [
    '2.1.3',
    'Limits of the business are written down',
    'Per user, company, and network, with what each protects.',
    `${DOCS} These limits keep one user, company, or network`,
  ],
  [
    '2.2.3',
    'Related fields fit together',
    'Core checks the document as a whole.',
    `${SERVER}/platform/http/hostile.property.test.ts :: dated`,
  ],
  [
    '2.3.2',
    'Limits of the business hold',
    'Payments, credits, and discounts never exceed what is open.',
    `${SERVER}/platform/http/hostile.property.test.ts :: hostile requests: below 500`,
  ],
  [
    '2.3.3',
    'An action happens whole or not at all',
    'One transaction for the document, journal, key, and audit row; each statement is made to fail in a test.',
    `${SERVER}/platform/http/lost-commit.test.ts :: nothing was written, the same key then succeeds`,
  ],
  [
    '2.3.4',
    'Nothing is given out twice',
    'Documents and counters are locked while they are checked.',
    `${SERVER}/across/sending/sending.test.ts :: two people send an invoice: one wins`,
  ],
  [
    '2.4.1',
    'Mass calls are held back',
    'Limits for a network, a company, and a person, counted in the database where they cost something.',
    COSTLY,
  ],
  ...absent(
    [
      ['3.3.2', 'Cookies say SameSite'],
      ['3.3.3', 'Cookies are bound to the host'],
      ['3.3.4', 'Cookies are hidden from scripts'],
    ],
    NO_COOKIE,
    HEADERS,
  ),
  [
    '3.4.3',
    'A content policy allows own parts only',
    'default-src none, scripts and styles of the own origin, no objects, no base.',
    HEADERS,
  ],
  ['3.4.4', 'nosniff on every answer', 'Set for all answers, errors too.', HEADERS],
  ['3.4.5', 'The referrer tells nothing', 'no-referrer everywhere.', HEADERS],
  ['3.4.6', 'No page is framed', 'frame-ancestors none everywhere.', HEADERS],
  [
    '3.5.4',
    'Separate applications have separate hosts',
    'One application is one host; operations.md asks for a host of its own.',
    `${OPERATIONS} Give Evenkeel its own host name`,
    'operator',
  ],
  [
    '3.5.5',
    'postMessage checks its sender',
    'The application listens to no messages of other windows.',
    HEADERS,
    'absent',
  ],
  ['3.7.1', 'Only living browser technology', 'HTML, CSS, and JavaScript; no plugins.', HEADERS],
  [
    '3.7.2',
    'Redirects leave the host only to known places',
    'The server redirects to its own private page alone.',
    `${SERVER}/across/sending/estimates.test.ts :: its customer accepts it by name, once`,
  ],
  [
    '4.1.2',
    'Only pages redirect from HTTP to HTTPS',
    'The program never redirects; the proxy does it for pages.',
    `${OPERATIONS} Redirect pages to https`,
    'operator',
  ],
  ['4.1.3', 'Headers of proxies cannot be forged', 'Only the nearest hop counts, and only with TRUST_PROXY.', PROXY],
  [
    '4.2.1',
    'Message bounds are read one way',
    'Node’s strict parser refuses both lengths at once; the framework has one parser.',
    `${SERVER}/platform/http/hostile.property.test.ts :: hostile requests: below 500`,
  ],
  ...absent(
    [
      ['4.3.1', 'GraphQL queries are bounded'],
      ['4.3.2', 'GraphQL tells no schema'],
    ],
    'There is no GraphQL.',
    BOUND,
  ),
  ...absent(
    [
      ['4.4.2', 'WebSockets check the origin'],
      ['4.4.3', 'WebSocket tokens are sessions'],
      ['4.4.4', 'WebSocket tokens come from a session'],
    ],
    NO_SOCKETS,
    BOUND,
  ),
  [
    '5.1.1',
    'Kinds and sizes of uploads are written down',
    'For each place that takes files, with what happens to bad ones.',
    `${DOCS} Users upload files to records`,
  ],
  [
    '5.2.3',
    'Archives are measured before they are unpacked',
    'No upload is unpacked.',
    `${DOCS} No archive is unpacked`,
    'absent',
  ],
  ['5.4.1', 'Names of downloads are the server’s word', 'The stored name is checked, and the header says it.', SAVED],
  ['5.4.2', 'Names in headers are encoded', 'By RFC 6266 with an ASCII form.', SAVED],
  [
    '5.4.3',
    'Files are scanned for viruses',
    'With VIRUS_SCAN each file passes ClamAV before it is stored, and none gets in while it is away.',
    SCAN,
    'operator',
  ],
  [
    '6.1.2',
    'Words that make bad passwords are written down',
    'The user’s address and the company’s name.',
    `${DOCS} These are the context-specific words`,
  ],
  [
    '6.1.3',
    'All ways to sign in are written down',
    'Three ways, with the limits and the factor that all have.',
    `${DOCS} Users sign in with`,
  ],
  [
    '6.2.9',
    '64 characters fit',
    '256 bytes fit.',
    `${SERVER}/across/auth/passwords.test.ts :: a password of 257 bytes never matches`,
  ],
  ['6.2.10', 'Passwords do not expire', 'There is no expiry.', CHANGED],
  [
    '6.2.11',
    'Those words are refused',
    'At registration, change, and reset.',
    `${SERVER}/across/auth/register.test.ts :: is changed: this session goes on`,
  ],
  ['6.2.12', 'Leaked passwords are refused', '49,000 of them.', COMMON],
  [
    '6.3.3',
    'A second factor is asked for',
    'SECOND_FACTOR=everybody asks all users of an installation; else each company decides. A passkey alone is two factors.',
    FACTOR,
    'operator',
  ],
  [
    '6.3.4',
    'All ways are equally strong',
    'One function opens every session, behind the same limits and factors.',
    `${SERVER}/across/auth/members.test.ts :: asks for the second factor as each sign-in does`,
  ],
  [
    '6.4.3',
    'A reset does not pass by the second factor',
    'The reset asks for it.',
    `${SERVER}/across/auth/second-factor.test.ts :: asks for the code behind a right password alone`,
  ],
  [
    '6.4.4',
    'A lost factor needs proof of identity',
    'A recovery code, an administrator who knows the person, or the operator.',
    TOTP,
    'operator',
  ],
  ['6.5.1', 'Codes work once', 'Recovery codes are used up, and a time step is taken once.', TOTP],
  ['6.5.2', 'Short codes are hashed slowly with a salt', 'argon2id with 128 bits of salt.', COST],
  ['6.5.3', 'Codes come from a secure generator', 'The system’s.', HASHED],
  ['6.5.4', 'Codes have 20 bits', 'Recovery codes have 40, links 256.', TOTP],
  [
    '6.5.5',
    'Codes end soon',
    'A code of the app counts for 30 seconds, with one step for clocks that differ; mailed links set passwords and are not asked for at sign-in.',
    `${SERVER}/across/auth/totp.test.ts :: the codes of one step before and after are taken`,
  ],
  ...absent(
    [
      ['6.6.1', 'Codes by phone are the second choice'],
      ['6.6.2', 'Codes by another channel belong to one attempt'],
      ['6.6.3', 'Codes by another channel are limited'],
    ],
    'No code is sent by phone, message, or email.',
    BOUND,
  ),
  ...absent(
    [
      ['6.8.1', 'Users of identity providers cannot be mixed up'],
      ['6.8.2', 'Assertions are signed'],
      ['6.8.3', 'Assertions work once'],
      ['6.8.4', 'The provider’s strength is checked'],
    ],
    NO_IDP,
    BOUND,
  ),
  [
    '7.1.1',
    'Lifetimes of sessions are written down',
    'With the reason for 12 hours.',
    `${DOCS} A session ends after 12 hours without use`,
  ],
  [
    '7.1.2',
    'The number of sessions is written down',
    'Any number, all shown.',
    `${DOCS} The number of sessions per account is not limited`,
  ],
  [
    '7.1.3',
    'Shared sign-in systems are written down',
    'There is none.',
    `${DOCS} No session is shared with another system`,
    'absent',
  ],
  [
    '7.3.1',
    'Idle sessions end',
    'After SESSION_IDLE_HOURS.',
    `${SERVER}/across/auth/signin.test.ts :: a session is marked as seen at most once a minute`,
  ],
  [
    '7.3.2',
    'Sessions end at last',
    'After SESSION_MAX_DAYS.',
    `${SERVER}/across/auth/members.test.ts :: lives no longer than the session that it began in`,
  ],
  ['7.4.3', 'A new factor or password ends other sessions', 'Always, not as an option.', CHANGED],
  [
    '7.4.4',
    'Signing out is on every page',
    'In the menu of the head, and it ends the sessions in other companies.',
    `${SERVER}/across/auth/members.test.ts :: ends with a sign-out in either company`,
  ],
  [
    '7.4.5',
    'Administrators end sessions',
    'Under Users.',
    `${SERVER}/across/auth/users.test.ts :: a removed user is signed out at once`,
  ],
  [
    '7.5.1',
    'The account asks again before it changes',
    'Password and second factor for address, password, factors, and passkeys.',
    `${SERVER}/across/auth/register.test.ts :: is not guessed by whoever has the session`,
  ],
  [
    '7.5.2',
    'Users see their sessions and end them after proof',
    'Under Account, within 15 minutes of a sign-in with its factors. Later the program asks to sign in again.',
    `${SERVER}/across/auth/account.test.ts :: end only soon after a sign-in`,
  ],
  ...absent([['7.6.1', 'Sessions of providers end together']], NO_IDP, BOUND),
  [
    '7.6.2',
    'No session begins by itself',
    'Only sign-in, a link that is opened, or entering another company begins one.',
    BOUND,
  ],
  [
    '8.1.2',
    'Rules for fields are written down',
    'A table of fields with who reads and writes them.',
    `${DOCS} These fields have additional rules`,
  ],
  [
    '8.2.3',
    'Fields are out of reach without permission',
    'Account numbers are hidden, and protected fields of a request are dropped.',
    SHAPE,
  ],
  ['8.4.1', 'Companies are apart', 'In each statement, and by row-level security behind it.', FOREIGN],
  ...absent(
    [
      ['9.2.2', 'Tokens are of the right type'],
      ['9.2.3', 'Tokens are for this service'],
      ['9.2.4', 'Tokens name their audience'],
    ],
    NO_TOKENS,
    HASHED,
  ),
  ...absent(
    [
      ['10.1.1', 'OAuth: tokens go where they are needed'],
      ['10.1.2', 'OAuth: answers belong to the own flow'],
      ['10.2.1', 'OAuth: the code flow resists forged requests'],
      ['10.2.2', 'OAuth: servers cannot be mixed up'],
      ['10.3.1', 'OAuth: tokens are for this service'],
      ['10.3.2', 'OAuth: scopes decide'],
      ['10.3.3', 'OAuth: users are named for good'],
      ['10.3.4', 'OAuth: strength is checked'],
      ['10.4.6', 'OAuth: codes need PKCE'],
      ['10.4.7', 'OAuth: unknown clients are judged'],
      ['10.4.8', 'OAuth: refresh tokens end'],
      ['10.4.9', 'OAuth: users revoke tokens'],
      ['10.4.10', 'OAuth: clients prove themselves'],
      ['10.4.11', 'OAuth: clients have few scopes'],
      ['10.5.1', 'OIDC: ID tokens are not replayed'],
      ['10.5.2', 'OIDC: users are known by their subject'],
      ['10.5.3', 'OIDC: issuers cannot be forged'],
      ['10.5.4', 'OIDC: ID tokens name this client'],
      ['10.5.5', 'OIDC: a forced logout is checked'],
      ['10.6.1', 'OIDC: only safe response modes'],
      ['10.6.2', 'OIDC: nobody is logged out by others'],
      ['10.7.1', 'OAuth: users consent'],
      ['10.7.2', 'OAuth: consent says to what'],
      ['10.7.3', 'OAuth: consent can be taken back'],
    ],
    NO_OAUTH,
    BOUND,
  ),
  [
    '11.1.1',
    'Keys have a policy and a life',
    'Who has each key, how it is made, kept, and replaced, and when.',
    `${DOCS} Replaced by \`evenkeel key rotate\``,
  ],
  [
    '11.1.2',
    'Keys and algorithms are listed',
    'With what each may protect and may not.',
    `${DOCS} AES-256-GCM, a random nonce for each value`,
  ],
  ['11.2.1', 'Cryptography is that of known libraries', 'Node’s OpenSSL, argon2, and a WebAuthn library.', COST],
  [
    '11.2.2',
    'Algorithms and keys can be exchanged',
    'Each sealed value says its form and key; one command seals all again, and survives a kill.',
    ROTATED,
  ],
  [
    '11.2.3',
    'Primitives have 128 bits',
    'AES-256, SHA-256, P-256; tokens of 256 bits, private links of 128.',
    `${DOCS} 256 random bits (private links 128)`,
  ],
  ['11.3.3', 'Encrypted data shows changes', 'The tag of AES-GCM, bound to the row.', BOX],
  ['11.4.2', 'Passwords are hashed slowly', 'argon2id with the cost of current guidance.', COST],
  [
    '11.4.3',
    'Hashes resist collisions',
    'SHA-256 for chains, seals, and files.',
    `${DOCS} Journal and audit chains, seals, file digests`,
  ],
  [
    '11.4.4',
    'Keys from passwords are stretched',
    'No key is made from a password.',
    `${DOCS} Created by the system's random generator`,
    'absent',
  ],
  ['11.5.1', 'Secrets have 128 random bits', 'The system’s generator, 128 bits and more.', HASHED],
  [
    '11.6.1',
    'Signatures and keys use approved ways',
    'ES256 and RS256 of passkeys are verified by a library; keys are random bytes.',
    `${DOCS} ES256 and RS256 public keys`,
  ],
  ['12.1.2', 'Only strong ciphers', 'Those of the proxy.', `${OPERATIONS} ssl_protocols TLSv1.2 TLSv1.3`, 'operator'],
  [
    '12.1.3',
    'Client certificates are checked',
    'None are used.',
    `${DOCS} The server opens no other connection`,
    'absent',
  ],
  [
    '12.3.1',
    'Every connection is encrypted',
    'TLS to browsers by the proxy, to mail and database servers by their settings; the own database is a local socket.',
    `${DOCS} A Unix socket for the embedded database`,
    'operator',
  ],
  [
    '12.3.2',
    'Certificates of others are checked',
    'By Node’s defaults for mail, by sslmode=verify-full for a database.',
    `${DOCS} the certificate is verified`,
    'operator',
  ],
  [
    '12.3.3',
    'Internal connections are encrypted',
    'The proxy reaches the program on the same machine only.',
    LOCAL,
    'operator',
  ],
  [
    '12.3.4',
    'Internal certificates are known',
    'There is no internal TLS on one machine; a database elsewhere names its authority.',
    `${DOCS} sslmode=verify-full`,
    'operator',
  ],
  [
    '13.1.1',
    'Connections are written down',
    'Five of them; no user names a sixth.',
    `${DOCS} The server opens no other connection`,
  ],
  [
    '13.2.1',
    'Parts prove themselves to each other',
    'A Unix socket of the same user, or a login of its own in DATABASE_URL and SMTP_URL.',
    `${DOCS} separate credentials`,
    'operator',
  ],
  [
    '13.2.2',
    'Parts have few rights',
    'Requests run under a role that owns nothing and may only add to the journal.',
    `${SERVER}/platform/db/catalogue.test.ts :: every tenant table has a company_id that is not null`,
  ],
  [
    '13.2.3',
    'No default credentials',
    'There is none; the first account is made by a link.',
    `${SERVER}/process/operator.test.ts :: prints one link, which registers a company once`,
  ],
  [
    '13.2.4',
    'Reachable systems are a list',
    'Those that the operator configures.',
    `${DOCS} no address that a user enters`,
  ],
  ['13.2.5', 'The web server reaches a list', 'The same; files are read from its own folders.', IMAGE],
  [
    '13.3.1',
    'Secrets have a vault',
    'Secrets are environment or files of the server’s user; a vault of the operator can provide them. None is in the code or image.',
    IMAGE,
    'operator',
  ],
  [
    '13.3.2',
    'Few can read secrets',
    'Key files have mode 0600, and the service has a user of its own.',
    `${SERVER}/platform/db/box.test.ts :: makes secret.key of 32 bytes for its owner alone`,
  ],
  ['13.4.2', 'Debugging is off', 'There is no debug mode; LOG_LEVEL adds no bodies.', LOGS],
  [
    '13.4.3',
    'Folders are not listed',
    'Only files of the built application are served.',
    `${SERVER}/platform/http/web.test.ts :: no other method reaches the pages`,
  ],
  ['13.4.4', 'TRACE is refused', 'Only declared methods have a route.', BOUND],
  [
    '13.4.5',
    'Documentation and monitoring are shown on purpose',
    'The API document is public by intent; /metrics is for this machine unless METRICS opens it.',
    METRICS,
  ],
  ['14.1.1', 'Sensitive data is known by level', 'Five levels, and each table has one.', INVENTORY],
  [
    '14.1.2',
    'Each level has its rules',
    'Encryption, integrity, retention, logging, and access for each.',
    `${DOCS} Encrypted with the installation's key and bound to their row`,
  ],
  [
    '14.2.2',
    'Server caches keep nothing sensitive',
    'No answer is cached by the server, and no-store keeps proxies from it.',
    HEADERS,
  ],
  [
    '14.2.3',
    'Nothing goes to third parties',
    'No script, font, or tracker of others; a chat only if the operator sets it.',
    `${DOCS} No data is sent to`,
  ],
  [
    '14.2.4',
    'The rules of each level hold',
    'A test looks for every secret in every table, and another in the log.',
    CLEAR,
  ],
  ['14.3.2', 'Browsers cache nothing sensitive', 'no-store on /api and private pages.', HEADERS],
  [
    '14.3.3',
    'The browser stores tokens and little else',
    'The token, drafts of forms until they are saved, and names of views; forms with passwords have no draft.',
    FORGETS,
  ],
  [
    '15.1.2',
    'Packages are listed',
    'package-lock.json pins each from the npm registry, and a script writes the list.',
    `${POLICY} All packages are updated`,
  ],
  [
    '15.1.3',
    'Costly functions are written down',
    'With what each costs, its limit, and its queue.',
    `${DOCS} These limits keep one user, company, or network`,
  ],
  ['15.2.2', 'Costly functions are held back', 'Queues, workers, turns of companies, and limits by the hour.', COSTLY],
  ['15.2.3', 'Production has no test code', 'The bundle has neither tests nor the gallery of parts.', IMAGE],
  [
    '15.3.2',
    'Requests follow no redirects',
    'The server requests no addresses.',
    `${DOCS} no address that a user enters`,
    'absent',
  ],
  ['15.3.3', 'Clients set declared fields only', 'Unknown and protected fields are dropped.', SHAPE],
  ['15.3.4', 'The client’s address is the true one', 'The nearest hop of a trusted proxy, for limits and logs.', PROXY],
  ['15.3.5', 'Types are strict', 'The contract refuses wrong types; the linter refuses loose comparison.', TYPES],
  ['15.3.6', 'Prototypes are not polluted', 'Bodies are read without prototype keys; maps and sets are used.', PROTO],
  [
    '15.3.7',
    'Repeated parameters do not mix',
    'Path, query, and body are separate, and a repeated query value is of the wrong type.',
    TYPES,
  ],
  [
    '16.1.1',
    'Logs are listed',
    'Five logs with their events, place, readers, and time.',
    `${DOCS} No other logs exist`,
  ],
  [
    '16.2.1',
    'Entries say when, where, who, and what',
    'Time, request id, route, user, company, and pseudonyms of account and network.',
    SIGNED_IN,
  ],
  [
    '16.2.2',
    'Times are UTC',
    'Milliseconds since 1970; operations.md asks for a right clock.',
    `${OPERATIONS} Verification codes depend on the database server's clock`,
    'operator',
  ],
  ['16.2.3', 'Logs go to known places', 'stdout and the database.', `${DOCS} No other logs exist`],
  [
    '16.2.4',
    'Logs can be read by machines',
    'JSON lines.',
    `${SERVER}/app/terminal.test.ts :: LOG_FORMAT decides whatever it writes to`,
  ],
  ['16.2.5', 'Logs keep to the level of data', 'No secret, number, or address.', UNTOLD],
  ['16.3.1', 'Sign-ins and refusals are logged', 'With the method; sign-ins stand in the audit log too.', REFUSED],
  ['16.3.2', 'Refused access is logged', 'With user, company, and route.', ACCESS],
  [
    '16.3.3',
    'Attacks on controls are logged',
    'Limits that strike, refused sign-ins and access; each refused request has its line.',
    STRUCK,
  ],
  [
    '16.3.4',
    'Defects are logged',
    'With stack and request id; lost connections as warnings.',
    `${SERVER}/platform/http/errors.test.ts :: a constraint of our own that breaks is a defect`,
  ],
  ['16.4.1', 'Entries cannot be forged', 'Values are JSON strings.', LOGS],
  [
    '16.4.2',
    'Logs cannot be changed',
    'The audit log is append-only and chained; the server log is the operator’s journal.',
    `${SERVER}/features/audit/chain.test.ts :: a row that is taken out, put in or changed is named`,
    'operator',
  ],
  [
    '16.4.3',
    'Logs go to another system',
    'The operator’s collector takes stdout.',
    `${DOCS} send it to another machine`,
    'operator',
  ],
  ['16.5.1', 'Errors tell nothing inside', 'One shape, without stack, SQL, or path.', SHAPE],
  [
    '16.5.2',
    'Others may fail',
    'Without the database 503; without mail the queue waits; without the scanner no upload.',
    AWAY,
  ],
  ['16.5.3', 'Failures close', 'A failure undoes the transaction, and a refused check saves nothing.', SCAN],
  ...absent(
    [
      ['17.1.1', 'WebRTC: relays reach public addresses only'],
      ['17.2.1', 'WebRTC: media keys are managed'],
      ['17.2.2', 'WebRTC: media ciphers are strong'],
      ['17.2.3', 'WebRTC: media is authenticated'],
      ['17.2.4', 'WebRTC: broken media packets do no harm'],
      ['17.3.1', 'WebRTC: signaling survives floods'],
      ['17.3.2', 'WebRTC: signaling survives broken messages'],
    ],
    NO_WEBRTC,
    BOUND,
  ),
];

/** The requirements of level 2, without those of level 1. */
export const levelTwo: readonly Requirement[] = rows.map(([id, wants, how, shown, state]) => ({
  id,
  wants,
  how,
  shown,
  ...(state === undefined ? {} : { state }),
}));
