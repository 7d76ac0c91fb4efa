import { describe, expect, test } from 'vitest';
import { progressLine } from '../../src/terminal/progress.js';

function recorder(columns: number | undefined): {
  columns: number | undefined;
  write(data: string | Uint8Array): boolean;
  text: string;
} {
  return {
    columns,
    text: '',
    write(data) {
      this.text += String(data);
      return true;
    },
  };
}

describe('the progress line', () => {
  test('appears only when a command takes long, is redrawn now and then, and goes away', () => {
    const output = recorder(40);
    let time = 0;
    const progress = progressLine(output, () => time);
    progress.show(() => 'early');
    time = 800;
    progress.show(() => 'first');
    time = 850;
    progress.show(() => 'too soon');
    time = 1000;
    progress.show(() => 'second \u001b[31m');
    progress.end();
    expect(output.text).toBe('\r\u001b[Kfirst\r\u001b[Ksecond \\x1b[31m\r\u001b[K');
  });

  test('writes nothing where there is no terminal, and nothing to remove where it never appeared', () => {
    const pipe = recorder(undefined);
    let time = 0;
    const progress = progressLine(pipe, () => time);
    time = 5000;
    progress.show(() => 'text');
    progress.end();
    progressLine(pipe).end();
    expect(pipe.text).toBe('');
  });
});
