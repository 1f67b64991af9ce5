import { describe, expect, test } from 'vitest';
import { addressesIn, checkMail, fillText, MAIL_KINDS, mailWording, payLink, payLinkFault } from './mailtext.ts';

describe('templates', () => {
  test.each([
    ['Invoice {number} from {company}', 'Invoice 10436 from Cedar & Stone'],
    ['{ Number }', '10436'],
    ['Hello {contact first name},', 'Hello,'],
    ['a\n\n{how to pay}\n\nb', 'a\n\nb'],
    ['no { brace', 'no { brace'],
  ])('the template %j is filled in as %j', (template, filled) => {
    expect(fillText(template, { number: '10436', company: 'Cedar & Stone' })).toBe(filled);
  });

  test("placeholders inside a placeholder's value are not filled in", () => {
    expect(fillText('{customer} {number}', { customer: '{number}', number: '7' })).toBe('{number} 7');
  });

  test.each(MAIL_KINDS)('the default template for %s has only known placeholders', (kind) => {
    expect(checkMail(kind, mailWording(kind))).toEqual({});
  });
});

const good = { to: ['ruth@fairlawn.example'], subject: 'Hello', text: 'Hello' };

describe('emails', () => {
  test('a valid email has no validation messages', () => expect(checkMail('invoice', good)).toEqual({}));

  test.each([
    [{ to: [] }, { to: 'Please enter an email address' }],
    [{ to: ['ruth'] }, { to: 'ruth is not a valid email address' }],
    [{ cc: ['a@b'] }, { cc: 'a@b is not a valid email address' }],
    [{ to: Array.from({ length: 11 }, (_, at) => `a${at}@b.example`) }, { to: 'You can enter at most 10 addresses' }],
    [{ subject: ' ' }, { subject: 'Please enter a subject' }],
    [{ subject: 'a\nBcc: eve@evil.example' }, { subject: 'The subject must be a single line' }],
    [{ text: '' }, { text: 'Please enter a message' }],
    [{ text: 'Pay {payment date}' }, { text: '{payment date} is not a valid placeholder. Select one from the list.' }],
    [{ subject: '{}' }, { subject: '{} is not a valid placeholder. Select one from the list.' }],
  ])('rejects an email with %j', (change, messages) => {
    expect(checkMail('invoice', { ...good, ...change })).toEqual(messages);
  });

  test('addresses can be separated by commas, semicolons, or spaces', () => {
    expect(addressesIn(' a@b.c, d@e.f;a@b.c\n')).toEqual(['a@b.c', 'd@e.f']);
  });
});

describe('payment links', () => {
  test('a payment link includes the encoded invoice number and amount', () => {
    const link = 'https://pay.example/cedar?ref={number}&amount={amount}';
    expect(payLinkFault(link)).toBeUndefined();
    expect(payLink(link, { number: 'A&1', amount: '2740.00' })).toBe(
      'https://pay.example/cedar?ref=A%261&amount=2740.00',
    );
  });

  test.each(['http://pay.example', 'javascript:alert(1)', 'https://', 'https://pay.example/a b', 'pay {number}'])(
    'rejects the payment link %s',
    (link) => expect(payLinkFault(link)).toBe('Please enter a URL that begins with https://'),
  );

  test('rejects a payment link with an unknown placeholder', () => {
    expect(payLinkFault('https://pay.example/{customer}')).toContain('{customer} is not a valid placeholder');
  });
});
