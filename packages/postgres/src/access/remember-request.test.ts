import { someInstant, presentedBy } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

const remember = async (person: string, key: string | null, subject: string) => {
  const values = [presentedBy(person), key, `v1:${subject}`, subject, someInstant]
  const rows = await harness.sql('select * from quipu.remember_request($1, $2, $3, $4, $5)', values)
  return rows[0]?.['subject']
}

test('a repeated request gets what its person created with its key, and nothing else', async () => {
  const requests = [
    ['luz', 'a', 'first'],
    ['ana', 'a', 'second'],
    ['ana', 'b', 'third'],
    ['luz', 'b', 'fourth'],
  ] as const
  for (const [person, key, subject] of requests) expect(await remember(person, key, subject)).toBeNull()
  for (const [person, key, subject] of requests) expect(await remember(person, key, 'again')).toBe(subject)
  expect(await remember('ana', null, 'without a key')).toBeNull()
  expect(await remember('ana', null, 'without a key')).toBeNull()
})
