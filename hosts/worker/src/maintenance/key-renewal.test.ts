import type { Renewal } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { renewAll } from './key-renewal.ts'

type Line = readonly [level: string, members: object, message: string]

function run(slices: readonly Renewal[]) {
  const lines: Line[] = []
  const asked: string[] = []
  const write = (level: string) => (members: object, message: string) => void lines.push([level, members, message])
  const left = [...slices]
  const renew = async (after: string): Promise<Renewal> => {
    asked.push(after)
    return left.shift() ?? { next: null, renewed: 0, unreadable: [] }
  }
  const log = { info: write('info'), error: write('error') } as never
  const by = { values: 'signing secrets', setting: 'WEBHOOK_SECRET_KEY' }
  return { lines, asked, task: renewAll(renew, log, by) }
}

test('all slices are renewed, each after the one before, and counted in one line', async () => {
  const { lines, asked, task } = run([
    { next: 'we_2', renewed: 2, unreadable: [] },
    { next: null, renewed: 1, unreadable: [] },
  ])
  await task()
  expect(asked).toEqual(['', 'we_2'])
  expect(lines).toEqual([
    ['info', { renewed: 3 }, 'renewed signing secrets with the current key of WEBHOOK_SECRET_KEY'],
  ])
})

test('without older keys nothing is logged', async () => {
  const { lines, task } = run([{ next: null, renewed: 0, unreadable: [] }])
  await task()
  expect(lines).toEqual([])
})

test('values that no key reads are reported with what to do', async () => {
  const { lines, task } = run([{ next: null, renewed: 0, unreadable: ['we_7', 'we_9'] }])
  await task()
  expect(lines).toEqual([
    ['error', { count: 2, first: 'we_7' }, expect.stringContaining('add the key that made them; retrying in 1 h')],
  ])
})
