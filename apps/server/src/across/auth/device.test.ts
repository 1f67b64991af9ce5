import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [`${MAC} Gecko/20100101 Firefox/126.0`, 'Firefox on Mac'],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15`, 'Safari on Mac'],
  [`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${IPHONE} CriOS/125.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${WINDOWS} Chrome/125.0 Safari/537.36 Edg/125.0`, 'Edge on Windows'],
  [`${WINDOWS} Chrome/125.0 Safari/537.36`, 'Chrome on Windows'],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/125.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl'],
  ['lightMyRequest', 'lightMyRequest'],
  ['', ''],
  [undefined, ''],
  ['<script>alert(1)</script>', ''],
  ['x'.repeat(5000), 'x'.repeat(40)],
])('the user agent "%s" is shown as "%s"', (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});
