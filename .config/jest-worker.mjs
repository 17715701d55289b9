// The runner sends its settings to all workers when the first worker asks, and never again. A worker that asks later takes
// the settings that came before its question.

const QUESTION = 'jest-light-runner-get-worker-data';
const ANSWER = 'jest-light-runner-worker-data';

let answer = null;

// No listener: Node keeps messages until the worker listens, and a listener here would take them.
const { emit } = process;
process.emit = function (event, ...values) {
  if (event === 'message' && values[0]?.type === ANSWER) [answer] = values;
  return emit.call(this, event, ...values);
};

const send = process.send?.bind(process);
process.send = (message, ...rest) => {
  if (message !== QUESTION || answer === null) return send(message, ...rest);
  queueMicrotask(() => emit.call(process, 'message', answer));
  return true;
};
