import { defineCommand } from '../face/command.js';
import { completionScript } from '../help/completion.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'prints the script that completes commands and options in a shell',
  arguments: { shell: { label: 'SHELL', summary: 'bash, zsh or fish', choices: SHELLS } },
  options: {},
  examples: [
    { command: 'eval "$(savepoint completion bash)"', does: 'In ~/.bashrc' },
    { command: 'eval "$(savepoint completion zsh)"', does: 'In ~/.zshrc, after compinit' },
    { command: 'savepoint completion fish | source', does: 'In ~/.config/fish/config.fish' },
  ],
  ops: {},
  async run({ face, arguments: { shell } }) {
    const script = completionScript(shell as (typeof SHELLS)[number], face);
    return { data: { shell, script }, lines: () => script.trimEnd().split('\n') };
  },
});
