import { describe, expect, test } from 'vitest';
import { suggestions } from '../../src/arguments/suggest.js';

const VERBS = ['capture', 'create', 'list', 'ls', 'show', 'status', 'verify'];

describe('suggestions', () => {
  test.each([
    ['captrue', ['capture']],
    ['lsit', ['list']],
    ['ver', ['verify']],
    ['stat', ['status']],
    ['shwo', ['show']],
    ['nothing-like-it', []],
    ['', []],
  ])('for %j are %j', (typed, expected) => {
    expect(suggestions(typed, VERBS)).toEqual(expected);
  });
});
