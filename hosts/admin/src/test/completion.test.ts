import { expect, test } from 'vitest'
import { admin } from './admin.fixture.ts'

/** The words that the shell offers at the end of the line. */
async function offered(line: string): Promise<string[]> {
  const [, ...words] = line.split(' ')
  const { out } = await admin(['completion-server', 'bash', '--', ...words])
  return out.trimEnd().split('\n')
}

test('completes groups, commands, options and their choices', async () => {
  expect(await offered('quipu-admin ten')).toEqual(['tenants'])
  expect(await offered('quipu-admin tenants s')).toEqual(['suspend'])
  expect(await offered('quipu-admin tenant create --legal')).toEqual(['--legal-name'])
  expect(await offered('quipu-admin proposals list --status w')).toEqual(['withdrawn'])
  expect(await offered('quipu-admin completion f')).toEqual(['fish'])
  expect(await offered('quipu-admin secrets rotate A')).toEqual(['ADDRESS_MAC_KEY'])
  expect(await offered('quipu-admin reconcile n')).toEqual(['network'])
  expect(await offered('quipu-admin token create ana --role o')).toEqual(['operator'])
  expect(await offered('quipu-admin sweep w')).toEqual(['watch'])
  expect(await offered('quipu-admin tenants list --limit 3 --li')).toEqual([''])
})

test('does not offer what only scripts call', async () => {
  expect(await offered('quipu-admin comp')).toEqual(['completion'])
})

test.each(['bash', 'zsh', 'fish'])('prints a script for %s that calls the program', async (shell) => {
  const { code, out } = await admin(['completion', shell])
  expect(code).toBe(0)
  expect(out).toContain(`quipu-admin completion-server ${shell} -- `)
})
