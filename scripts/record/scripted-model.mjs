/** A local stand-in for the model: the newest prompt that holds a plan says what it answers; every request is kept whole. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';

const USAGE = { input_tokens: 1000, cache_creation_input_tokens: 0, cache_read_input_tokens: 200 };
const SUMMARY = '<analysis>scripted</analysis>\n<summary>\nA file was written and read; both went well.\n</summary>';

/** Starts the server. `requests` fills with `{id, body}` for each request of a message. */
export async function startModel() {
  const requests = [];
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => answer(request, response, { requests, text: Buffer.concat(chunks).toString('utf8') }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { requests, url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

function answer(request, response, { requests, text }) {
  const { pathname } = new URL(request.url, 'http://model');
  if (request.method !== 'POST' || !/\/messages$/.test(pathname)) {
    response.writeHead(/count_tokens$/.test(pathname) ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ input_tokens: USAGE.input_tokens }));
    return;
  }
  const body = JSON.parse(text);
  const id = `req_${hex()}`;
  requests.push({ id, body });
  send(response, { id, body, content: decide(body) });
}

/** A plan is a list of steps, `@@plan [...] @@`; each answer takes the one after those whose results are there. */
function decide({ messages, tools = [] }) {
  const parts = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((part) => ({ role, ...part })),
  );
  const last = parts.findLast(({ role, type }) => role === 'user' && type === 'text');
  if (/Your task is to create a detailed summary/.test(last?.text ?? '')) return [{ type: 'text', text: SUMMARY }];
  const at = parts.findLastIndex(
    ({ role, type, text }) => role === 'user' && type === 'text' && text.includes('@@plan'),
  );
  if (at < 0 || tools.length === 0) return [{ type: 'text', text: 'Scripted title' }];
  const plan = JSON.parse(/@@plan (\[.*\]) @@/s.exec(parts[at].text)[1]);
  const answers = new Set(
    parts.slice(at + 1).flatMap((part, index) => (part.type === 'tool_use' ? [before(parts, at + 1 + index)] : [])),
  );
  const step = plan[answers.size] ?? { say: 'Nothing is left to do.' };
  const calls = (step.calls ?? []).map(([name, input]) => ({ type: 'tool_use', id: `toolu_${hex()}`, name, input }));
  return [{ type: 'text', text: step.say ?? 'The next step.' }, ...calls];
}

/** Returns where the answer begins that a part belongs to, so that calls made at once are one answer. */
function before(parts, at) {
  let first = at;
  while (parts[first - 1]?.role === 'assistant') first -= 1;
  return first;
}

function send(response, { id, body, content }) {
  const reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = {
    id: `msg_${hex()}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason: reason,
    stop_sequence: null,
  };
  const usage = { ...USAGE, output_tokens: 50 };
  if (body.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': id });
    response.end(JSON.stringify({ ...message, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': id });
  const event = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  event('message_start', { message: begun });
  content.forEach((block, index) => {
    const isText = block.type === 'text';
    event('content_block_start', {
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    event('content_block_delta', { index, delta });
    event('content_block_stop', { index });
  });
  event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 50 } });
  event('message_stop', {});
  response.end();
}

function hex() {
  return randomBytes(9).toString('hex');
}
