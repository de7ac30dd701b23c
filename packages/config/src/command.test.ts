import { expect, test } from 'vitest'
import { repository, run } from './command.ts'

test('standard error precedes standard output, in whatever order they are written', async () => {
  const says = `console.log('one'); console.error('wrong'); console.log('two')`
  const { code, output } = await run(['node', '--eval', says], repository)
  expect([code, output]).toEqual([0, 'wrong\none\ntwo\n'])
})

test('the output contains the reason why a tool cannot be started', async () => {
  const { code, output } = await run(['no-such-tool'], repository)
  expect(code).toBe(1)
  expect(output).toContain('ENOENT')
})
