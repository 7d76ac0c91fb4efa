/**
 * Lays the snapshots of several timelines out as a graph, newest first, in the way of `git log --graph`: each lane waits
 * for the id of the next older snapshot on it.
 */

export interface GraphNode {
  readonly id: string;
  /** Ids of what it follows; the first continues its lane. */
  readonly edges: readonly string[];
}

export interface GraphRow {
  readonly drawing: string;
  /** Index of the snapshot that stands in this row; absent for rows that only connect lanes. */
  readonly node?: number;
}

interface Strokes {
  readonly dot: string;
  /** A snapshot that follows none: what stands below it in its lane belongs to another timeline. */
  readonly first: string;
  readonly down: string;
  readonly across: string;
  readonly cross: string;
  readonly fork: string;
  readonly joinEnd: string;
  readonly branchEnd: string;
  readonly meetEnd: string;
}

const UNICODE: Strokes = {
  dot: '●',
  first: '○',
  down: '│',
  across: '─',
  cross: '┼',
  fork: '├',
  joinEnd: '╯',
  branchEnd: '╮',
  meetEnd: '┤',
};
const ASCII: Strokes = {
  dot: '*',
  first: 'o',
  down: '|',
  across: '-',
  cross: '+',
  fork: '|',
  joinEnd: "'",
  branchEnd: '.',
  meetEnd: '|',
};

type Lanes = (string | undefined)[];

export function drawGraph(nodes: readonly GraphNode[], unicode: boolean): readonly GraphRow[] {
  const strokes = unicode ? UNICODE : ASCII;
  const known = new Set(nodes.map(({ id }) => id));
  const lanes: Lanes = [];
  return nodes.flatMap((node, index) => {
    const column = takeLane(lanes, node.id);
    const rows: GraphRow[] = joinRows(lanes, { id: node.id, column }, strokes);
    rows.push({
      drawing: dotRow(lanes, column, node.edges.length === 0 ? { ...strokes, dot: strokes.first } : strokes),
      node: index,
    });
    // What lies outside the list (cut off, or of another repository) gets no lane: it would never end.
    const [first, ...others] = [...new Set(node.edges)].filter((edge) => known.has(edge));
    lanes[column] = first;
    for (const edge of others) rows.push(branchRow(lanes, { id: edge, column }, strokes));
    trim(lanes);
    return rows;
  });
}

function takeLane(lanes: Lanes, id: string): number {
  const waiting = lanes.indexOf(id);
  const column = waiting >= 0 ? waiting : freeLane(lanes);
  lanes[column] = id;
  return column;
}

function freeLane(lanes: Lanes): number {
  const free = lanes.findIndex((lane) => lane === undefined);
  return free >= 0 ? free : lanes.length;
}

interface Place {
  readonly id: string;
  readonly column: number;
}

// Other lanes that wait for the same snapshot come together above it.
function joinRows(lanes: Lanes, { id, column }: Place, strokes: Strokes): GraphRow[] {
  const rows: GraphRow[] = [];
  for (let lane = lanes.length - 1; lane > column; lane--) {
    if (lanes[lane] !== id) continue;
    rows.push({ drawing: linkRow(lanes, { from: column, to: lane, end: strokes.joinEnd }, strokes) });
    lanes[lane] = undefined;
  }
  trim(lanes);
  return rows;
}

function branchRow(lanes: Lanes, { id, column }: Place, strokes: Strokes): GraphRow {
  const waiting = lanes.indexOf(id);
  const to = waiting >= 0 ? waiting : freeLane(lanes);
  const end = waiting >= 0 ? strokes.meetEnd : strokes.branchEnd;
  const drawing = linkRow(lanes, { from: column, to, end }, strokes);
  lanes[to] = id;
  return { drawing };
}

function dotRow(lanes: Lanes, column: number, strokes: Strokes): string {
  return cells(lanes.map((lane, index) => (index === column ? strokes.dot : lane === undefined ? ' ' : strokes.down)));
}

interface Link {
  readonly from: number;
  readonly to: number;
  readonly end: string;
}

function linkRow(lanes: Lanes, { from, to, end }: Link, strokes: Strokes): string {
  const [left, right] = from < to ? [from, to] : [to, from];
  const signs: string[] = [];
  for (let lane = 0; lane < Math.max(lanes.length, right + 1); lane++) {
    const isOpen = lanes[lane] !== undefined;
    const within = lane > left && lane < right;
    if (lane === from && from < to) signs.push(isOpen ? strokes.fork : strokes.down);
    else if (lane === from) signs.push(isOpen ? strokes.meetEnd : strokes.joinEnd);
    else if (lane === to) signs.push(from < to ? end : strokes.fork);
    else if (within) signs.push(isOpen ? strokes.cross : strokes.across);
    else signs.push(isOpen ? strokes.down : ' ');
  }
  return signs
    .map((sign, lane) => sign + (lane >= left && lane < right ? strokes.across : ' '))
    .join('')
    .trimEnd();
}

function cells(signs: readonly string[]): string {
  return signs.join(' ').trimEnd();
}

function trim(lanes: Lanes): void {
  while (lanes.length > 0 && lanes.at(-1) === undefined) lanes.pop();
}
