import { expect, test } from 'vitest'
import type { Context } from './context.ts'
import { runCommand } from './run-command.ts'
import { spanish, spanishError } from './spanish.ts'

/** Runs a command line in this process, without a service. */
const quipu = (...args: readonly string[]) => quipuIn({}, ...args)

async function quipuIn(env: Context['env'], ...args: readonly string[]) {
  let [out, error] = ['', '']
  const terminal = {
    out: (text: string) => void (out += text),
    error: (text: string) => void (error += text),
    columns: 10_000,
    ask: undefined,
    input: async () => '',
  }
  const { signal } = new AbortController()
  const code = await runCommand(args, { terminal, env: { HOME: '/nowhere', ...env }, signal })
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
  expect(names.length).toBe(18)
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

test('every text of every help is in Spanish where the locale is', async () => {
  const groups = ['payouts', 'deposits', 'events', 'webhooks', 'keys']
  const inner = ['list', 'get', 'resend', 'pause', 'resume', 'replay', 'rotate', 'revoke']
  const words = (await quipu('--help')).out.matchAll(/^ {2}([a-z][a-z-]+)/gm)
  const single = ['', ...Array.from(words, ([, name = '']) => name).filter((name) => name !== 'help')]
  const commands = [...single.map((name) => [name]), ...groups.flatMap((group) => inner.map((name) => [group, name]))]
  let all = ''
  for (const command of commands) {
    const args = [...command.filter((word) => word !== ''), '--help']
    const [english, found] = [await quipu(...args), await quipuIn({ LANG: 'es_BO.UTF-8' }, ...args)]
    const linesOf = (out: string) => out.replaceAll(/ \((?:choices|valores|default|por defecto): .*\)/g, '').split('\n')
    const lines = linesOf(found.out)
    const same = linesOf(english.out).filter((line, at) => line === lines[at] && !/^$|^ {2}.*quipu /.test(line))
    expect(same, args.join(' ')).toEqual([])
    all += english.out
  }
  expect(Object.keys(spanish).filter((text) => !all.includes(text))).toEqual([])
})

test('QUIPU_LANG decides before the locale, and LC_ALL before LANG', async () => {
  expect((await quipuIn({ LANG: 'en_US.UTF-8', LC_ALL: 'es' }, '--help')).out).toContain('Ejemplos:')
  expect((await quipuIn({ LC_ALL: 'es_BO.UTF-8', QUIPU_LANG: 'en' }, '--help')).out).toContain('Examples:')
})

test('an error leads to its explanation in Spanish', () => {
  expect(spanishError('QUOTE_EXPIRED: …\n  What to do: https://a.test/docs#error-QUOTE_EXPIRED')).toContain(
    '\n  Qué hacer: https://a.test/docs-es#error-QUOTE_EXPIRED',
  )
})
