/** The agent's own list of things to do: written whole by `TodoWrite`, thing by thing by the tools for tasks. */
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import type { Reading } from '../reading/reading.js';

/** Things beyond this are not kept. */
const MOST = 100;

export function noteTodos(reading: Reading, tool: string, input: LogObject | undefined): void {
  const { state } = reading;
  if (tool === 'TodoWrite') {
    const todos = listOf(input, 'todos').map(asLogObject);
    state.todos = todos.slice(0, MOST).map((todo, index) => ({
      id: String(index),
      text: textOf(todo, 'content') ?? '',
      status: textOf(todo, 'status') ?? 'pending',
    }));
    tell(reading);
  }
  const id = tool === 'TaskUpdate' ? wordOf(input, 'taskId') : undefined;
  if (id === undefined || !state.todos.some((todo) => todo.id === id)) return;
  const [status, text] = [wordOf(input, 'status'), wordOf(input, 'subject')];
  state.todos = state.todos.flatMap((todo) => {
    if (todo.id !== id) return [todo];
    if (status === 'deleted') return [];
    return [{ ...todo, ...(status !== undefined && { status }), ...(text !== undefined && { text }) }];
  });
  tell(reading);
}

/** The result of `TaskCreate` says the name of the new thing. */
export function noteTask(reading: Reading, tool: string | undefined, result: LogObject | undefined): void {
  const task = tool === 'TaskCreate' ? objectOf(result, 'task') : undefined;
  const id = wordOf(task, 'id');
  if (id === undefined || reading.state.todos.length >= MOST) return;
  reading.state.todos = [...reading.state.todos, { id, text: textOf(task, 'subject') ?? '', status: 'pending' }];
  tell(reading);
}

function tell({ state, events }: Reading): void {
  events.push({ event: 'session', progress: state.todos.map(({ text, status }) => ({ text, status })) });
}
