import { describe, expect, test } from 'vitest';
import { findInText } from '../../src/redact/find.js';
import { applyFindings } from '../../src/redact/text/spans.js';
import { PieceOutput, WindowedText } from '../../src/redact/windows.js';

const find = (text: string): ReturnType<typeof findInText> => findInText(text, 'text');

function inWindows(text: string, piece: number): string {
  const out = new PieceOutput();
  const windows = new WindowedText(out, find);
  for (let at = 0; at < text.length; at += piece) windows.push(text.slice(at, at + piece), false);
  windows.push('', true);
  return out.take();
}

describe('a text in windows', () => {
  const token = ['gh', 'o_', 'A1b2C3d4E5f6'.repeat(3)].join('');
  const planted = {
    'its name': " password = 'correct horse battery staple' and so on, ",
    'its scheme': ' postgres://application:hunter2@db.internal/app or ',
    'its own beginning': ` ${token} `,
  };

  for (const [what, secret] of Object.entries(planted)) {
    test(`no border parts a secret from ${what}`, () => {
      for (let shift = 0; shift < secret.length; shift += 9) {
        const text = 'x'.repeat(shift) + secret.repeat(Math.ceil(260_000 / secret.length));
        expect(inWindows(text, 64 * 1024)).toBe(applyFindings(text, find(text)).text);
      }
    });
  }

  test('what is found does not depend on the pieces', () => {
    const text = Object.values(planted).join('\n').repeat(3000);
    const whole = inWindows(text, text.length);
    for (const piece of [997, 65_536, 200_003]) expect(inWindows(text, piece)).toBe(whole);
  });
});
