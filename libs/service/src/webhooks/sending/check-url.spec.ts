import { AddressRanges } from '../../runtime/config/address-ranges.js';
import { refusalOfExempt, parseTarget, type UrlRefusal } from './check-url.js';

/** Checks a URL without a look-up. */
function checkUrl(url: string, allow = new AddressRanges([])): UrlRefusal | undefined {
  const target = parseTarget(url, allow);
  if ('code' in target) return target;
  return target.exemptOnly && target.literal === undefined ? refusalOfExempt(target) : undefined;
}

const code = (url: string, allow?: AddressRanges): string | undefined => checkUrl(url, allow)?.code;
const urlOf = (host: string): string => `https://${host}/hooks`;

describe('The URL of a webhook (SPEC §6, Address)', () => {
  it.each([
    'https://example.com',
    'https://example.com./hooks',
    'HTTPS://Hooks.Example.COM/a?b=c',
    'https://example.com:443/',
    'https://example.com:1024/',
    'https://bücher.example/',
    'https://10.0.0.1.example.com/',
    'https://local.example/',
    'https://hooks.wlan/',
    'https://in-addr.arpa/',
    'https://myhome.arpa/',
    'https://home.arpa.example/',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('accepts %s', (url) => {
    expect(checkUrl(url)).toBeUndefined();
  });

  it.each([
    '',
    'example.com',
    'http://example.com/',
    'ftp://example.com/',
    'https:example.com',
    'https:///example.com/',
    'https://example.com:80/',
    'https://example.com:1023/',
    'https://example.com:0/',
    'https://example.com:65536/',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://@example.com/',
    'https://example.com/#part',
    'https://example.com/#',
    'https://example/',
    'https://localhost/',
    'https://localhost./',
    'https://a.localhost/',
    'https://printer.local/',
    'https://printer.LOCAL./',
    'https://db.internal/',
    'https://db.internal./',
    'https://db.internal../',
    'https://router.lan/',
    'https://router.LAN./',
    'https://build.localdomain/',
    'https://build.LocalDomain.:8443/',
    'https://nas.home.arpa/',
    'https://nas.Home.ARPA./',
    'https://a.b.home.arpa/',
    'https://home.arpa/',
    'https://hidden.onion/',
    'https://HIDDEN.Onion./hooks',
    'https://example.com../',
    'https://.example.com/',
    'https://a..example.com/',
    'https://exam!ple.com/',
    'https://example.com/a b',
    'https://example.com\\@evil.example/',
    ' https://example.com/',
    'https://exam\tple.com/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700::1111]/',
    'https://1.2.3.4.5/',
    `https://example.com/${'a'.repeat(2029)}`,
  ])('refuses %j as invalid_url', (url) => {
    expect(checkUrl(url)).toEqual({ code: 'invalid_url', message: expect.stringMatching(/^The .*\.$/) });
  });

  it.each([
    ...['0.0.0.0', '0.255.255.255', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
    ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    '168.63.129.16',
    // Other spellings of 127.0.0.1, 10.0.0.1 and 169.254.169.254.
    ...[
      '127.1',
      '127.0.1',
      '2130706433',
      '017700000001',
      '0x7f000001',
      '0x7f.1',
      '0X7F.0.0.1',
      '0177.0.0.01',
      '127.0.0.1.',
    ],
    ...['１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1', '①②⑦.0.0.1', '0xa9fea9fe', '0', '0x', '10.1'],
    ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]', '[::FFFF:7f00:1]'],
    ...[
      '[0:0:0:0:0:ffff:10.0.0.1]',
      '[::ffff:8.8.8.8]',
      '[::ffff:0:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b::8.8.8.8]',
    ],
    ...['[64:ff9b:1::a00:1]', '[100::1]', '[fc00::1]', '[fd12:3456::1]', '[fe80::1]', '[fe80::1%25eth0]', '[fec0::1]'],
    ...[
      '[ff02::1]',
      '[4000::1]',
      '[5f00::1]',
      '[6000::1]',
      '[7fff::1]',
      '[8000::1]',
      '[2001::1]',
      '[2001:1ff::1]',
      '[2001:db8::1]',
      '[2002:7f00:1::]',
    ],
    ...['[2002::1]', '[3fff::1]', '[3fff:fff::1]'],
  ])('refuses the literal %s as forbidden_address', (host) => {
    expect(code(urlOf(host))).toBe('forbidden_address');
  });

  it.each([
    'http://127.0.0.1/',
    'https://127.0.0.1:22/',
    'https://user:password@127.0.0.1/',
    'https://example.com@127.0.0.1/',
    'https://127.0.0.1/#part',
    'https:\\\\127.0.0.1\\',
    ' https://127.0.0.1/',
    'https:127.0.0.1',
    'ftp://127.0.0.1/',
    'gopher://0x7f.1/',
    `https://127.0.0.1/${'a'.repeat(3000)}`,
  ])('checks the literal first: %s is forbidden_address, for any other defect', (url) => {
    expect(code(url)).toBe('forbidden_address');
  });

  it.each(['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0'])(
    'treats %s as public, although it is next to a range',
    (host) => {
      expect(code(urlOf(host))).toBe('invalid_url');
    },
  );
  it.each(['[2001:200::1]', '[2003::1]', '[2000::1]', '[3ffe::1]', '[3fff:1000::1]', '[2001:db7::1]', '[2001:db9::1]'])(
    'treats %s as public, although it is next to a range',
    (host) => {
      expect(code(urlOf(host))).toBe('invalid_url');
    },
  );

  describe('with exempt ranges', () => {
    const allow = new AddressRanges(['127.0.0.0/8', 'fd00::/8', '8.8.8.8']);

    it.each(['http://127.0.0.1:80/', 'http://2130706433:9/', 'https://[fd00::1]:22/', 'https://8.8.8.8/'])(
      'takes %s: there, http, any port and literals are allowed',
      (url) => {
        expect(checkUrl(url, allow)).toBeUndefined();
      },
    );

    it.each(['http://10.0.0.1/', 'https://[::1]/', 'https://[::ffff:127.0.0.1]/'])('still forbids %s', (url) => {
      expect(code(url, allow)).toBe('forbidden_address');
    });

    it.each([
      'http://example.com/',
      'https://example.com:80/',
      'https://8.8.4.4/',
      'https://localhost/',
      'http://u@127.0.0.1/',
    ])('still refuses %s as invalid_url', (url) => {
      expect(code(url, allow)).toBe('invalid_url');
    });
  });
});

describe('AddressRanges', () => {
  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '10.0.0/8', '10.0.0.0/-1'])(
    'refuses %j with a sentence',
    (cidr) => {
      expect(() => new AddressRanges([cidr])).toThrow(`"${cidr}" is not a range of addresses`);
    },
  );
});
