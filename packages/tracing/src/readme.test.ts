import { recordSpans } from './testing.ts'
import { expect, test } from 'vitest'
import { resume } from './readme.fixture.ts'

test('the program of the README continues a stored trace', async () => {
  const recorded = recordSpans(0)
  const worked: string[] = []
  const work = async (id: string): Promise<void> => void worked.push(id)
  await resume({ id: 'one' }, work)
  await resume({ id: 'two', traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` }, work)
  expect(worked).toEqual(['one', 'two'])
  expect(recorded.spans().map(({ name }) => name)).toEqual(['step', 'resume item'])
  await recorded.stop()
})
