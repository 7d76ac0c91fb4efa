import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawGraph, type GraphNode } from '../../src/views/read/graph.js';

function drawn(edges: Readonly<Record<string, string>>, unicode = true): string {
  const nodes = Object.entries(edges).map(([id, to]) => ({ id, edges: to === '' ? [] : to.split(' ') }));
  const rows = drawGraph(nodes, unicode);
  return `\n${rows.map(({ drawing, node }) => `${drawing} ${node === undefined ? '' : (nodes[node]?.id ?? '')}`.trimEnd()).join('\n')}\n`;
}

describe('the graph', () => {
  test('of one timeline is a line', () => {
    expect(drawn({ c: 'b', b: 'a', a: '' })).toMatchInlineSnapshot(`
      "
      ● c
      ● b
      ○ a
      "
    `);
  });
  test('of two timelines one after the other shows where the first one ends', () => {
    expect(drawn({ d: 'c', c: '', b: 'a', a: '' })).toMatchInlineSnapshot(`
      "
      ● d
      ○ c
      ● b
      ○ a
      "
    `);
  });
  test('of two timelines that never met stands side by side', () => {
    expect(drawn({ d: 'b', c: 'a', b: '', a: '' })).toMatchInlineSnapshot(`
      "
      ● d
      │ ● c
      ○ │ b
        ○ a
      "
    `);
  });
  test('of a fork joins at the snapshot that both follow', () => {
    expect(drawn({ d: 'b', c: 'a', b: 'a', a: '' })).toMatchInlineSnapshot(`
      "
      ● d
      │ ● c
      ● │ b
      ├─╯
      ○ a
      "
    `);
  });
  test('of a rewind draws the edge to where it came from', () => {
    expect(drawn({ e: 'd b', d: 'c', c: 'b', b: 'a', a: '' })).toMatchInlineSnapshot(`
      "
      ● e
      ├─╮
      ● │ d
      ● │ c
      ├─╯
      ● b
      ○ a
      "
    `);
  });
  test('without Unicode uses ASCII only', () => {
    expect(drawn({ f: 'e b', e: 'c', d: 'b', c: 'b', b: 'a', a: '' }, false)).toMatchInlineSnapshot(`
      "
      * f
      |-.
      * | e
      | | * d
      * | | c
      |-+-'
      |-'
      * b
      o a
      "
    `);
  });
  test('leaves out edges to what is not listed', () => {
    expect(drawn({ c: 'b', b: 'gone' })).toMatchInlineSnapshot(`
      "
      ● c
      ● b
      "
    `);
  });

  test('shows every snapshot once, in order, with one dot in its row, whatever the edges are', () => {
    const graphs = fc
      .array(fc.array(fc.nat(20), { maxLength: 3 }), { maxLength: 20 })
      .map((edges) =>
        edges.map((to, index): GraphNode => ({ id: String(index), edges: to.map((step) => String(index + step)) })),
      );
    fc.assert(
      fc.property(graphs, fc.boolean(), (nodes, unicode) => {
        const rows = drawGraph(nodes, unicode);
        expect(rows.flatMap(({ node }) => node ?? [])).toEqual(nodes.map((_, index) => index));
        for (const { drawing, node } of rows) {
          expect(drawing.split(unicode ? /[●○]/ : /[*o]/)).toHaveLength(node === undefined ? 1 : 2);
          if (!unicode) expect(drawing).toMatch(/^[\x20-\x7e]*$/);
        }
      }),
    );
  });
});
