// OWASP ASVS 5.0, level 2: the requirements that level 2 adds to level 1. The format is the same as in
// security.data.ts. Each requirement is in our own words, with an explanation of how it is met and the test or text
// that proves it.
import type { Requirement, State } from './security.data.ts';

const SERVER = 'apps/server/src';
const HEADERS = `${SERVER}/platform/http/serve.test.ts :: every response has the security headers`;
const ENDPOINTS = `${SERVER}/platform/http/endpoints.test.ts`;
const BOUND = `${ENDPOINTS} :: every endpoint in the contract has a route`;
const FOREIGN = `${ENDPOINTS} :: from another company and changes no row`;
const SHAPE = `${ENDPOINTS} :: returns a response that matches its schema, or an error`;
const TYPES = `${ENDPOINTS} :: never returns 5xx for a wrong type in a single field`;
const CLEAR = `${ENDPOINTS} :: after every endpoint is called, no table contains a secret in plain text`;
const HOSTILE = `${SERVER}/platform/http/hostile.property.test.ts :: hostile requests get a status below 500`;
const PROTO = `${SERVER}/platform/http/body.test.ts :: a __proto__ key in a body does not change any object`;
const SAVED = `${SERVER}/books/attachments/files.test.ts :: is always downloaded and never shown`;
const PRINTED = `${SERVER}/platform/pdf/invoice.test.ts :: is printed as text and never opened`;
const XML = 'packages/statements/src/read.test.ts :: rejects %s with a one-sentence message';
const HASHED = `${SERVER}/across/auth/signin.test.ts :: the database stores only the hash`;
const TOTP = `${SERVER}/process/second-factor.test.ts :: guesses in three processes are checked`;
const COST = `${SERVER}/across/auth/passwords.test.ts :: production hashes use 19 MiB`;
const COMMON = `${SERVER}/across/auth/passwords.test.ts :: the 3,000 most common passwords with at`;
const CHANGED = `${SERVER}/across/auth/register.test.ts :: changing a password keeps this session`;
const SIGNED_IN = `${SERVER}/across/auth/sign-in-log.test.ts :: a sign-in is logged with pseudonyms`;
const REFUSED = `${SERVER}/across/auth/sign-in-log.test.ts :: rejected sign-ins are logged`;
const ACCESS = `${SERVER}/across/auth/sign-in-log.test.ts :: a denied request and a full export`;
const UNTOLD = `${SERVER}/across/auth/sign-in-log.test.ts :: the log contains no email address`;
const STRUCK = `${SERVER}/across/auth/sign-in-log.test.ts :: an exceeded limit is logged by name`;
const SCAN = `${SERVER}/platform/http/safeguards.test.ts :: a file with a virus is rejected`;
const COSTLY = `${SERVER}/platform/http/safeguards.test.ts :: an expensive call returns 429`;
const FACTOR = `${SERVER}/platform/http/safeguards.test.ts :: if the operator requires two-step verification`;
const INVENTORY = `${SERVER}/platform/http/safeguards.test.ts :: the data inventory gives the sensitivity level`;
const ROTATED = `${SERVER}/process/key.test.ts :: a key rotation needs a stopped server`;
const BOX = `${SERVER}/platform/db/box.test.ts :: a truncated or empty value`;
const METRICS = `${SERVER}/app/app.test.ts :: by default, /metrics is open only on the loopback`;
const PROXY = `${SERVER}/across/auth/signin.test.ts :: X-Forwarded-For does not affect a limit`;
const LOGS = `${SERVER}/process/operator.test.ts :: the log contains no password`;
const LOCAL = `${SERVER}/process/operator.test.ts :: the server listens only on the loopback`;
const AWAY = `${SERVER}/platform/http/serve.test.ts :: while the database is unavailable, calls return 503`;
const IMAGE = 'scripts/test/deploy.test.ts :: contains neither sources nor secrets';
const FORGETS = 'apps/web/src/client/session.test.ts :: clears the cache, the data on the device';
const DOCS = 'docs/safeguards.md #';
const OPERATIONS = 'docs/operations.md #';
const POLICY = 'SECURITY.md #';

const NO_COOKIE = 'The application uses no cookies. The token is in the Authorization header.';
const NO_OAUTH = 'Evenkeel is not an OAuth server or client and accepts no OAuth tokens.';
const NO_IDP = 'Evenkeel uses no identity provider.';
const NO_SOCKETS = 'The application uses no WebSockets.';
const NO_WEBRTC = 'The application has no calls, media, or relays.';
const NO_TOKENS = 'Session tokens are random and looked up in the database. No token contains data.';

type Row = readonly [id: string, wants: string, how: string, shown: string, state?: State];

const absent = (ids: readonly (readonly [id: string, wants: string])[], how: string, shown: string): Row[] =>
  ids.map(([id, wants]) => [id, wants, how, shown, 'absent']);

const rows: readonly Row[] = [
  [
    '1.1.1',
    'Input is decoded once, before validation',
    'The framework decodes paths, queries, and JSON. Then the contract checks them, and nothing is decoded later.',
    HOSTILE,
  ],
  [
    '1.1.2',
    'Output is encoded last',
    'React, the JSON encoder, and one HTML escape for emails and private pages write the final text.',
    PRINTED,
  ],
  ['1.2.6', 'LDAP queries are safe', 'The application uses no LDAP.', BOUND, 'absent'],
  ['1.2.7', 'XPath queries are safe', 'The parser for XML bank statements has no XPath.', XML, 'absent'],
  [
    '1.2.8',
    'LaTeX is sandboxed',
    'The application uses no LaTeX. The PDF library runs no commands.',
    PRINTED,
    'absent',
  ],
  [
    '1.2.9',
    'Regular expressions are escaped',
    'No pattern is built from input. Filters use LIKE with escaped characters.',
    TYPES,
  ],
  [
    '1.3.3',
    'Text for dangerous contexts is limited and sanitized',
    'The contract limits the length of each text and rejects NUL and lone surrogates.',
    HOSTILE,
  ],
  [
    '1.3.4',
    'SVG from users is sanitized',
    'SVG is never displayed. Logos are PNG or JPEG, and an attached SVG can only be downloaded.',
    SAVED,
  ],
  [
    '1.3.5',
    'Markup from users is sanitized or disabled',
    'No field contains Markdown, CSS, or template expressions. Texts are plain.',
    PRINTED,
  ],
  [
    '1.3.6',
    "Users can't make the server send requests",
    'Webhooks, which administrators set up, send only to public addresses over HTTPS. The address of the connection itself is checked.',
    `${SERVER}/across/webhooks/targets.test.ts :: a host name is checked by the address`,
  ],
  [
    '1.3.7',
    'Templates are not built from input',
    'Email placeholders are a fixed list and are replaced by text. Others are rejected.',
    `${SERVER}/across/sending/sending.test.ts :: the company's templates replace`,
  ],
  ['1.3.9', 'Memcache input is sanitized', 'The application uses no memcache.', BOUND, 'absent'],
  ['1.3.8', 'JNDI queries are safe', 'The application uses no Java.', BOUND, 'absent'],
  ['1.3.10', "Format strings don't come from input", 'JavaScript has no format strings.', TYPES, 'absent'],
  [
    '1.3.11',
    'Mail server input is sanitized',
    'The contract allows only single-line addresses and subjects, and the mail library encodes them.',
    `${SERVER}/across/auth/signin.test.ts :: a sign-in with %s returns 400`,
  ],
  [
    '1.4.1',
    'Memory is managed safely',
    'TypeScript has no pointers. Native code is only in Node, PostgreSQL, and image libraries.',
    TYPES,
  ],
  [
    '1.4.2',
    "Integers don't overflow",
    "Amounts must be safe integers, and totals that don't fit a column are rejected.",
    HOSTILE,
  ],
  [
    '1.4.3',
    'Memory and handles are released',
    'Files and connections are closed in finally blocks, and an interrupted upload leaves no data.',
    `${SERVER}/books/attachments/files.test.ts :: a 25 MB upload that is interrupted halfway leaves no data`,
  ],
  [
    '1.5.2',
    'Untrusted data is deserialized safely',
    'Only JSON is accepted, without prototype keys, and the contract checks each field.',
    PROTO,
  ],
  [
    '2.1.2',
    'Rules across fields are documented',
    'Safeguards lists the rules, and accounting.md has the amounts.',
    `${DOCS} Combinations are checked by the functions`,
  ],
  [
    '2.1.3',
    'Business limits are documented',
    'Limits per user, company, and network are listed with their purpose.',
    `${DOCS} These limits keep one user, company, or network`,
  ],
  [
    '2.2.3',
    'Related fields are consistent',
    'Core checks each document as a whole.',
    `${SERVER}/platform/http/hostile.property.test.ts :: an invoice with the date`,
  ],
  [
    '2.3.2',
    'Business limits are enforced',
    'Payments, credits, and discounts never exceed the open balance.',
    `${SERVER}/platform/http/hostile.property.test.ts :: hostile requests get a status below 500`,
  ],
  [
    '2.3.3',
    'Actions are atomic',
    'The document, journal, idempotency key, and audit row share a transaction. A test makes each statement fail.',
    `${SERVER}/platform/http/lost-commit.test.ts :: a request whose commit is lost returns 503 and writes nothing`,
  ],
  [
    '2.3.4',
    'Limited resources are not allocated twice',
    'Documents and counters are locked while they are checked.',
    `${SERVER}/across/sending/sending.test.ts :: two users who send an invoice at the same time`,
  ],
  [
    '2.4.1',
    'Automated calls are limited',
    'Costly calls have limits per network, company, and user in the database.',
    COSTLY,
  ],
  ...absent(
    [
      ['3.3.2', 'Cookies set SameSite'],
      ['3.3.3', 'Cookies use the __Host- prefix'],
      ['3.3.4', 'Cookies are HttpOnly'],
    ],
    NO_COOKIE,
    HEADERS,
  ),
  [
    '3.4.3',
    'The content security policy allows only our own content',
    'default-src is none, scripts and styles are allowed only from the same origin, and objects and base are forbidden.',
    HEADERS,
  ],
  ['3.4.4', 'nosniff on every response', 'All responses have the header, including errors.', HEADERS],
  ['3.4.5', 'The referrer reveals nothing', 'Every response has no-referrer.', HEADERS],
  ['3.4.6', "Pages can't be framed", 'Every response sets frame-ancestors to none.', HEADERS],
  [
    '3.5.4',
    'Separate applications have separate hosts',
    'Each installation is one application, and operations.md requires a separate host name.',
    `${OPERATIONS} Give Evenkeel its own host name`,
    'operator',
  ],
  [
    '3.5.5',
    'postMessage checks the sender',
    "The application doesn't listen to messages from other windows.",
    HEADERS,
    'absent',
  ],
  [
    '3.7.1',
    'Only supported browser technology',
    'The application uses HTML, CSS, and JavaScript without plugins.',
    HEADERS,
  ],
  [
    '3.7.2',
    'Redirects go only to known hosts',
    'The server redirects only to its private pages.',
    `${SERVER}/across/sending/estimates.test.ts :: a draft estimate is sent with its link`,
  ],
  [
    '4.1.2',
    'Only pages redirect from HTTP to HTTPS',
    'The server never redirects to HTTPS. The proxy does this for pages.',
    `${OPERATIONS} Redirect pages to https`,
    'operator',
  ],
  [
    '4.1.3',
    "Proxy headers can't be forged",
    'Only the address from the nearest proxy counts, and only with TRUST_PROXY.',
    PROXY,
  ],
  [
    '4.2.1',
    'Message boundaries are unambiguous',
    "Node's strict parser rejects conflicting lengths, and the framework has no other parser.",
    `${SERVER}/platform/http/hostile.property.test.ts :: hostile requests get a status below 500`,
  ],
  ...absent(
    [
      ['4.3.1', 'GraphQL queries are limited'],
      ['4.3.2', 'GraphQL introspection is disabled'],
    ],
    'The application uses no GraphQL.',
    BOUND,
  ),
  ...absent(
    [
      ['4.4.2', 'WebSockets check the origin'],
      ['4.4.3', 'WebSockets use session tokens'],
      ['4.4.4', 'WebSocket tokens come from the session'],
    ],
    NO_SOCKETS,
    BOUND,
  ),
  [
    '5.1.1',
    'Kinds and sizes of uploads are documented',
    'Safeguards lists them for each place that accepts files, with the handling of invalid files.',
    `${DOCS} Users upload files to records`,
  ],
  [
    '5.2.3',
    'Archives are checked before extraction',
    'Only imports of books unpack archives. Sizes, ratios, and the number of entries are checked before.',
    'packages/imports/src/hostile.test.ts :: rejects a zip bomb before it is unpacked',
  ],
  ['5.4.1', 'The server determines download names', 'The stored name is validated and sent in the header.', SAVED],
  ['5.4.2', 'Names in headers are encoded', 'Names follow RFC 6266 with an ASCII fallback.', SAVED],
  [
    '5.4.3',
    'Files are scanned for viruses',
    'With VIRUS_SCAN, ClamAV checks each file before it is stored. While the scanner is down, uploads are rejected.',
    SCAN,
    'operator',
  ],
  [
    '6.1.2',
    'Context-specific forbidden words are documented',
    "The words are the user's address and the company's name.",
    `${DOCS} These are the context-specific words`,
  ],
  [
    '6.1.3',
    'All ways to sign in are documented',
    'Safeguards lists them with their shared limits and two-step verification.',
    `${DOCS} Users sign in with`,
  ],
  [
    '6.2.9',
    'Passwords of 64 characters are allowed',
    'Passwords can have up to 256 bytes.',
    `${SERVER}/across/auth/passwords.test.ts :: a password of 257 bytes never matches`,
  ],
  ['6.2.10', "Passwords don't expire", 'The application has no password expiry.', CHANGED],
  [
    '6.2.11',
    'Context-specific words are rejected',
    'Registration, password change, and reset reject them.',
    `${SERVER}/across/auth/register.test.ts :: changing a password keeps this session`,
  ],
  ['6.2.12', 'Leaked passwords are rejected', 'A list of 49,000 leaked passwords is rejected.', COMMON],
  [
    '6.3.3',
    'Two-step verification is required',
    'SECOND_FACTOR=everybody requires it from all users. Otherwise, each company decides. A passkey counts as two factors.',
    FACTOR,
    'operator',
  ],
  [
    '6.3.4',
    'All ways to sign in are equally strong',
    'One function opens every session, with the same limits and two-step verification.',
    `${SERVER}/across/auth/members.test.ts :: accepting an invitation requires two-step`,
  ],
  [
    '6.4.3',
    "A reset doesn't bypass two-step verification",
    'The password reset requires a verification code.',
    `${SERVER}/across/auth/second-factor.test.ts :: sign-in requests the code only`,
  ],
  [
    '6.4.4',
    'A lost factor requires proof of identity',
    'Users need a recovery code, an administrator who knows them, or the operator.',
    TOTP,
    'operator',
  ],
  ['6.5.1', 'Codes work once', 'Recovery codes are deleted after use, and each TOTP time step works once.', TOTP],
  ['6.5.2', 'Short codes are hashed slowly with a salt', 'Codes are hashed with argon2id and 128 bits of salt.', COST],
  ['6.5.3', 'Codes come from a secure generator', "Codes come from the system's random generator.", HASHED],
  ['6.5.4', 'Codes have at least 20 bits', 'Recovery codes have 40 bits and links 256.', TOTP],
  [
    '6.5.5',
    'Codes expire soon',
    'A verification code is valid for 30 seconds, plus one time step for clock differences. Mailed links set passwords and are not used to sign in.',
    `${SERVER}/across/auth/totp.test.ts :: accepts codes from one time step earlier`,
  ],
  ...absent(
    [
      ['6.6.1', 'Codes by phone are not the only option'],
      ['6.6.2', 'Out-of-band codes belong to one attempt'],
      ['6.6.3', 'Out-of-band codes are limited'],
    ],
    'Codes are never sent by phone, message, or email.',
    BOUND,
  ),
  ...absent(
    [
      ['6.8.1', "Users of identity providers can't be confused"],
      ['6.8.2', 'Assertions are signed'],
      ['6.8.3', 'Assertions work once'],
      ['6.8.4', 'The provider’s authentication strength is checked'],
    ],
    NO_IDP,
    BOUND,
  ),
  [
    '7.1.1',
    'Session lifetimes are documented',
    'Safeguards gives the lifetimes and the reason for 12 hours.',
    `${DOCS} A session ends after 12 hours without use`,
  ],
  [
    '7.1.2',
    'The number of sessions is documented',
    'The number is unlimited, and Account lists all sessions.',
    `${DOCS} The number of sessions per account is not limited`,
  ],
  [
    '7.1.3',
    'Shared sign-in systems are documented',
    'The application uses none.',
    `${DOCS} No session is shared with another system`,
    'absent',
  ],
  [
    '7.3.1',
    'Idle sessions expire',
    'Sessions expire after SESSION_IDLE_HOURS without use.',
    `${SERVER}/across/auth/signin.test.ts :: a session's last use is updated at most`,
  ],
  [
    '7.3.2',
    'Sessions have a maximum lifetime',
    'Sessions expire after SESSION_MAX_DAYS.',
    `${SERVER}/across/auth/members.test.ts :: a session in another company ends no`,
  ],
  ['7.4.3', 'A new factor or password ends other sessions', 'Other sessions always end.', CHANGED],
  [
    '7.4.4',
    'Every page has a sign-out',
    'Sign-out is in the top menu and also ends the sessions in other companies.',
    `${SERVER}/across/auth/members.test.ts :: signing out ends the sessions in all`,
  ],
  [
    '7.4.5',
    'Administrators can end sessions',
    'Administrators end sessions under Users.',
    `${SERVER}/across/auth/users.test.ts :: a removed user is signed out immediately`,
  ],
  [
    '7.5.1',
    'Account changes require reauthentication',
    'Changes to the address, password, two-step verification, and passkeys require the password and a verification code.',
    `${SERVER}/across/auth/register.test.ts :: guessing a password returns 429 after 10 attempts in a session`,
  ],
  [
    '7.5.2',
    'Users can view and end their sessions after reauthentication',
    'Account lists them. Ending one requires a full sign-in within the last 15 minutes.',
    `${SERVER}/across/auth/account.test.ts :: end sessions only shortly after signing in`,
  ],
  ...absent([['7.6.1', 'Sessions at identity providers end together']], NO_IDP, BOUND),
  [
    '7.6.2',
    "Sessions don't start without the user",
    'A session starts only by signing in, opening a link, or entering another company.',
    BOUND,
  ],
  [
    '8.1.2',
    'Field access rules are documented',
    'Safeguards has a table of fields with read and write access.',
    `${DOCS} These fields have additional rules`,
  ],
  [
    '8.2.3',
    'Fields require a permission',
    'Account numbers are masked, and protected fields in requests are ignored.',
    SHAPE,
  ],
  [
    '8.4.1',
    'Tenants are isolated',
    'Each statement names the company, and row-level security checks it again.',
    FOREIGN,
  ],
  ...absent(
    [
      ['9.2.2', 'Tokens have the correct type'],
      ['9.2.3', 'Tokens are for this service'],
      ['9.2.4', 'Tokens name their audience'],
    ],
    NO_TOKENS,
    HASHED,
  ),
  ...absent(
    [
      ['10.1.1', 'OAuth: tokens are sent only where needed'],
      ['10.1.2', "OAuth: responses belong to the client's own request"],
      ['10.2.1', 'OAuth: the code flow resists forged requests'],
      ['10.2.2', "OAuth: servers can't be confused"],
      ['10.3.1', 'OAuth: tokens are for this service'],
      ['10.3.2', 'OAuth: scopes are enforced'],
      ['10.3.3', 'OAuth: users have a permanent identifier'],
      ['10.3.4', 'OAuth: authentication strength is checked'],
      ['10.4.6', 'OAuth: codes require PKCE'],
      ['10.4.7', 'OAuth: unknown clients are restricted'],
      ['10.4.8', 'OAuth: refresh tokens expire'],
      ['10.4.9', 'OAuth: users can revoke tokens'],
      ['10.4.10', 'OAuth: clients authenticate'],
      ['10.4.11', 'OAuth: clients have minimal scopes'],
      ['10.5.1', "OIDC: ID tokens can't be replayed"],
      ['10.5.2', 'OIDC: users are identified by their subject'],
      ['10.5.3', "OIDC: issuers can't be forged"],
      ['10.5.4', 'OIDC: ID tokens name this client'],
      ['10.5.5', 'OIDC: forced logout is validated'],
      ['10.6.1', 'OIDC: only safe response modes'],
      ['10.6.2', "OIDC: forced logout can't be abused"],
      ['10.7.1', 'OAuth: users consent'],
      ['10.7.2', 'OAuth: consent describes its scope'],
      ['10.7.3', 'OAuth: consent can be revoked'],
    ],
    NO_OAUTH,
    BOUND,
  ),
  [
    '11.1.1',
    'Keys have a policy and a life cycle',
    'Safeguards lists who knows each key, and how and when it is created, stored, and replaced.',
    `${DOCS} Replaced by \`evenkeel key rotate\``,
  ],
  [
    '11.1.2',
    'Keys and algorithms are listed',
    'Safeguards lists them with their allowed purposes.',
    `${DOCS} AES-256-GCM, a random nonce for each value`,
  ],
  [
    '11.2.1',
    'Cryptography uses validated libraries',
    "The application uses Node's OpenSSL, argon2, and a WebAuthn library.",
    COST,
  ],
  [
    '11.2.2',
    'Algorithms and keys can be replaced',
    'Each sealed value names its format and key. One command seals all values again, and is safe to interrupt.',
    ROTATED,
  ],
  [
    '11.2.3',
    'Primitives have at least 128 bits',
    'The application uses AES-256, SHA-256, and P-256, tokens with 256 bits, and private links with 128.',
    `${DOCS} 256 random bits (private links 128)`,
  ],
  ['11.3.3', 'Changes to encrypted data are detected', 'The AES-GCM tag covers the value and its row.', BOX],
  ['11.4.2', 'Passwords are hashed slowly', 'Passwords are hashed with argon2id at the recommended cost.', COST],
  [
    '11.4.3',
    'Hashes resist collisions',
    'Chains, seals, and files use SHA-256.',
    `${DOCS} Journal and audit chains, seals, file digests`,
  ],
  [
    '11.4.4',
    'Keys from passwords are stretched',
    'No key is derived from a password.',
    `${DOCS} Created by the system's random generator`,
    'absent',
  ],
  [
    '11.5.1',
    'Secrets have 128 random bits',
    "Secrets have at least 128 bits from the system's random generator.",
    HASHED,
  ],
  [
    '11.6.1',
    'Signatures and keys use approved methods',
    'A library verifies the ES256 and RS256 signatures of passkeys. Keys are random bytes.',
    `${DOCS} ES256 and RS256 public keys`,
  ],
  [
    '12.1.2',
    'Only strong ciphers',
    'The proxy selects the ciphers.',
    `${OPERATIONS} ssl_protocols TLSv1.2 TLSv1.3`,
    'operator',
  ],
  [
    '12.1.3',
    'Client certificates are validated',
    'The application uses no client certificates.',
    `${DOCS} The server opens no other connection`,
    'absent',
  ],
  [
    '12.3.1',
    'All connections are encrypted',
    'The proxy provides TLS to browsers, and the settings provide TLS to mail and database servers. The embedded database uses a local socket.',
    `${DOCS} A Unix socket for the embedded database`,
    'operator',
  ],
  [
    '12.3.2',
    'Server certificates are validated',
    "Node validates the mail server's certificate, and sslmode=verify-full the database's.",
    `${DOCS} the certificate is verified`,
    'operator',
  ],
  [
    '12.3.3',
    'Internal connections are encrypted',
    'The proxy and the server run on the same machine.',
    LOCAL,
    'operator',
  ],
  [
    '12.3.4',
    'Internal certificates are trusted explicitly',
    'One machine needs no internal TLS. An external database names its certificate authority.',
    `${DOCS} sslmode=verify-full`,
    'operator',
  ],
  [
    '13.1.1',
    'Connections are documented',
    'Safeguards lists all connections. Administrators of companies can add only the addresses of webhooks.',
    `${DOCS} The server opens no other connection`,
  ],
  [
    '13.2.1',
    'Components authenticate to each other',
    'The embedded database uses a Unix socket of the same user. DATABASE_URL and SMTP_URL contain separate credentials.',
    `${DOCS} separate credentials`,
    'operator',
  ],
  [
    '13.2.2',
    'Components have few privileges',
    'Requests run under a role that owns nothing and can only insert into the journal.',
    `${SERVER}/platform/db/catalogue.test.ts :: every tenant table has a company_id that is not null`,
  ],
  [
    '13.2.3',
    'No default credentials',
    'A link creates the first account, and no other account exists.',
    `${SERVER}/process/operator.test.ts :: prints one link that registers a company once`,
  ],
  [
    '13.2.4',
    'Allowed destinations are a list',
    'The server connects only to destinations that the operator configures, and to public addresses of webhooks.',
    `${DOCS} Webhooks are the only addresses that a user enters`,
  ],
  [
    '13.2.5',
    "The web server's resources are a list",
    "The same list applies. Files are read only from the application's folders.",
    IMAGE,
  ],
  [
    '13.3.1',
    'Secrets are in a vault',
    "Secrets are environment variables or files of the server's user, and a vault can provide them. The code and the image contain none.",
    IMAGE,
    'operator',
  ],
  [
    '13.3.2',
    'Access to secrets is minimal',
    'Key files have mode 0600, and the service runs as a dedicated user.',
    `${SERVER}/platform/db/box.test.ts :: creates secret.key with 32 bytes that only its owner can read`,
  ],
  [
    '13.4.2',
    'Debug modes are off',
    'The application has no debug mode, and LOG_LEVEL never adds request bodies.',
    LOGS,
  ],
  [
    '13.4.3',
    'Directories are not listed',
    'Only files of the built web application are served.',
    `${SERVER}/platform/http/web.test.ts :: pages accept neither POST nor DELETE requests`,
  ],
  ['13.4.4', 'TRACE is rejected', 'Only declared methods have a route.', BOUND],
  [
    '13.4.5',
    'Documentation and monitoring are exposed on purpose',
    'The API document is public. /metrics is available only on this machine unless METRICS opens it.',
    METRICS,
  ],
  ['14.1.1', 'Sensitive data is classified', 'Safeguards has five levels, and each table has one.', INVENTORY],
  [
    '14.1.2',
    'Each level has protection rules',
    'Safeguards has the rules for encryption, integrity, retention, logging, and access.',
    `${DOCS} Encrypted with the installation's key and bound to their row`,
  ],
  [
    '14.2.2',
    'Server caches contain nothing sensitive',
    'The server caches no response, and no-store keeps proxies from caching.',
    HEADERS,
  ],
  [
    '14.2.3',
    'No data goes to third parties',
    'There are no third-party scripts, fonts, or trackers. A chat widget loads only if the operator sets it.',
    `${DOCS} No data is sent to`,
  ],
  [
    '14.2.4',
    'The rules of each level are enforced',
    'One test looks for every secret in every table, and another in the log.',
    CLEAR,
  ],
  ['14.3.2', "Browsers don't cache sensitive data", '/api and private pages set no-store.', HEADERS],
  [
    '14.3.3',
    'Browser storage contains only tokens and little else',
    'The browser stores the token, drafts of forms until they are saved, and names of views. Forms with passwords have no draft.',
    FORGETS,
  ],
  [
    '15.1.2',
    'Packages are listed',
    'package-lock.json pins each package from the npm registry, and a script writes the list.',
    `${POLICY} All packages are updated`,
  ],
  [
    '15.1.3',
    'Costly functions are documented',
    'Safeguards lists them with their cost, limit, and queue.',
    `${DOCS} These limits keep one user, company, or network`,
  ],
  [
    '15.2.2',
    'Costly functions are limited',
    'Queues, workers, the company gate, and hourly limits protect the server.',
    COSTLY,
  ],
  ['15.2.3', 'Production has no test code', 'The bundle contains no tests and no component gallery.', IMAGE],
  [
    '15.3.2',
    "Server requests don't follow redirects",
    'Webhooks are the only requests of the server. A redirect is a failure.',
    `${SERVER}/across/webhooks/targets.test.ts :: a receiver's redirect is not followed`,
  ],
  ['15.3.3', 'Clients can set only declared fields', 'Unknown and protected fields are ignored.', SHAPE],
  [
    '15.3.4',
    'The client’s address is correct',
    'Limits and logs use the address from the nearest trusted proxy.',
    PROXY,
  ],
  ['15.3.5', 'Types are strict', 'The contract rejects wrong types, and the linter rejects loose comparison.', TYPES],
  [
    '15.3.6',
    "Prototypes can't be polluted",
    'The parser ignores prototype keys, and the code uses maps and sets.',
    PROTO,
  ],
  [
    '15.3.7',
    "Parameters can't be polluted",
    'Path, query, and body are separate, and a repeated query value has the wrong type.',
    TYPES,
  ],
  [
    '16.1.1',
    'Logs are documented',
    'Safeguards lists the logs with their events, location, readers, and retention.',
    `${DOCS} No other logs exist`,
  ],
  [
    '16.2.1',
    'Log entries have time, place, user, and event',
    'Entries have the time, request ID, route, user, company, and pseudonyms for the account and network.',
    SIGNED_IN,
  ],
  [
    '16.2.2',
    'Times are synchronized',
    'Times are milliseconds since 1970 in UTC. operations.md requires a correct clock.',
    `${OPERATIONS} Verification codes depend on the database server's clock`,
    'operator',
  ],
  ['16.2.3', 'Logs go only to documented places', 'Logs go to stdout and the database.', `${DOCS} No other logs exist`],
  [
    '16.2.4',
    'Logs are machine-readable',
    'Log entries are JSON lines.',
    `${SERVER}/app/terminal.test.ts :: LOG_FORMAT overrides the output format`,
  ],
  ['16.2.5', 'Logs respect data levels', 'Logs contain no secret, bank number, or address.', UNTOLD],
  [
    '16.3.1',
    'Sign-ins and failures are logged',
    'Entries include the method. The audit log also records sign-ins.',
    REFUSED,
  ],
  ['16.3.2', 'Denied access is logged', 'Entries include the user, company, and route.', ACCESS],
  [
    '16.3.3',
    'Attempts to bypass controls are logged',
    'Exceeded limits, failed sign-ins, denied access, and each rejected request are logged.',
    STRUCK,
  ],
  [
    '16.3.4',
    'Unexpected errors are logged',
    'Entries include the stack and request ID. Lost connections are warnings.',
    `${SERVER}/platform/http/errors.test.ts :: the violation of an internal constraint`,
  ],
  ['16.4.1', "Log entries can't be injected", 'Values are JSON strings.', LOGS],
  [
    '16.4.2',
    "Logs can't be modified",
    "The audit log is append-only and has a hash chain. The operator's journal stores the server log.",
    `${SERVER}/features/audit/chain.test.ts :: verify reports a deleted`,
    'operator',
  ],
  [
    '16.4.3',
    'Logs are sent to another system',
    "The operator's collector reads stdout.",
    `${DOCS} send it to another machine`,
    'operator',
  ],
  ['16.5.1', 'Errors reveal nothing internal', 'Errors have one format, without stack, SQL, or path.', SHAPE],
  [
    '16.5.2',
    'External services can fail safely',
    'Without the database, requests get 503. Without the mail server, emails wait. Without the scanner, uploads are rejected.',
    AWAY,
  ],
  ['16.5.3', 'Failures are safe', 'A failure rolls back the transaction, and a failed check saves nothing.', SCAN],
  ...absent(
    [
      ['17.1.1', 'WebRTC: relays reach only public addresses'],
      ['17.2.1', 'WebRTC: media keys are managed'],
      ['17.2.2', 'WebRTC: media ciphers are strong'],
      ['17.2.3', 'WebRTC: media is authenticated'],
      ['17.2.4', 'WebRTC: malformed media packets are handled'],
      ['17.3.1', 'WebRTC: signaling resists floods'],
      ['17.3.2', 'WebRTC: signaling handles malformed messages'],
    ],
    NO_WEBRTC,
    BOUND,
  ),
];

/** The level 2 requirements, not including the level 1 requirements. */
export const levelTwo: readonly Requirement[] = rows.map(([id, wants, how, shown, state]) => ({
  id,
  wants,
  how,
  shown,
  ...(state === undefined ? {} : { state }),
}));
