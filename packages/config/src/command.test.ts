import { expect, test } from 'vitest'
import { repository, run } from './command.ts'

test('errors come before the output, however the two streams arrive', async () => {
  const says = `console.log('one'); console.error('wrong'); console.log('two')`
  const { code, output } = await run(['node', '--eval', says], repository)
  expect([code, output]).toEqual([0, 'wrong\none\ntwo\n'])
})

test('a tool that cannot be started says why', async () => {
  const { code, output } = await run(['no-such-tool'], repository)
  expect(code).toBe(1)
  expect(output).toContain('ENOENT')
})
