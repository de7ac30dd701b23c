import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

/** Runs a command line in this process, without a service. */
async function quipu(...args: readonly string[]) {
  let [out, error] = ['', '']
  const terminal = {
    out: (text: string) => void (out += text),
    error: (text: string) => void (error += text),
    columns: undefined,
    ask: undefined,
    input: async () => '',
  }
  const { signal } = new AbortController()
  const code = await runCommand(args, { terminal, env: { HOME: '/nowhere' }, signal })
  return { code, out, error }
}

/** Commands that need no example. */
const plain = new Set(['logout', 'profiles', 'help'])

test('every command has a help with examples', async () => {
  const { code, out } = await quipu('--help')
  expect(code).toBe(0)
  expect(out).toMatch(/Examples:[^]*Exit codes:/)
  const names = Array.from(out.matchAll(/^ {2}([a-z][a-z-]+)(?: [[<].*?[\]>])* {2,}\S/gm))
    .map(([, name = '']) => name)
    .filter((name) => !plain.has(name))
  expect(names.length).toBe(17)
  for (const name of names) expect((await quipu(name, '--help')).out, name).toContain('Examples:')
})

test('an example of the help is a command line that is understood', async () => {
  const { out } = await quipu('--help')
  const examples = Array.from(out.matchAll(/^ {2}quipu (.*)$/gm), ([, line = '']) => line)
  expect(examples.length).toBeGreaterThan(4)
  for (const line of examples) {
    const [args = ''] = line.split(' <<<')
    const { code, error } = await quipu(...args.split(' '), '--profile', 'none')
    expect(code, line).toBe(2)
    expect(error, line).toMatch(/no profile none|key is empty/)
  }
})
