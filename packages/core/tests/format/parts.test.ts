import { describe, expect, it } from 'vitest';
import { FOLDER_LIMIT } from '../../src/format/v1/layout.js';
import { PART_LIMIT, partIndex, partPath } from '../../src/format/v1/parts.js';
import { failure } from './failure.js';

describe('the places of transcript parts', () => {
  it('fill one folder after the other', () => {
    expect([0, 1, 31, 32, 2047, 2048, PART_LIMIT - 1].map(partPath)).toEqual([
      '00/00/00',
      '00/00/01',
      '00/00/1f',
      '00/01/00',
      '00/3f/1f',
      '01/00/00',
      '3e/3f/1f',
    ]);
  });

  it('are in order, are unique, and come back', () => {
    let before = '';
    for (let index = 0; index < PART_LIMIT; index++) {
      const place = partPath(index);
      if (!(before < place) || partIndex(place) !== index) throw new Error(`part ${String(index)} lies at ${place}`);
      before = place;
    }
    expect(partIndex('00/01/02.jsonl')).toBe(34);
    expect(partIndex('00/01/02.json')).toBe(34);
  });

  it('give no folder more than the limit', () => {
    const entries = new Map<string, Set<string>>([['', new Set(['source.json'])]]);
    for (let index = 0; index < PART_LIMIT; index++) {
      const [top = '', leaf = '', part = ''] = partPath(index).split('/');
      const put = (folder: string, name: string) => {
        entries.set(folder, (entries.get(folder) ?? new Set()).add(name));
      };
      put('', top);
      put(top, leaf);
      put(`${top}/${leaf}`, `${part}.jsonl`);
      put(`${top}/${leaf}`, `${part}.json`);
    }
    expect(Math.max(...[...entries.values()].map((names) => names.size))).toBe(FOLDER_LIMIT);
  });

  it('have a limit', () => {
    expect(PART_LIMIT).toBe(129_024);
    for (const index of [-1, 0.5, PART_LIMIT, Number.NaN]) {
      expect(failure(() => partPath(index)).code).toBe('invariant_broken');
    }
  });

  it.each([
    '',
    '00',
    '00/00',
    '00/00/20',
    '3f/00/00',
    '00/40/00',
    '0/0/0',
    '00/00/0A',
    '00/00/00/00',
    'source.json',
    '00/00/00.txt',
    '../00/00',
  ])('do not include %j', (path) => {
    expect(partIndex(path)).toBeUndefined();
  });
});
