import { presentedBy } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('the function returns false for a token that is not active, as it opens no session', async () => {
  const open = `select quipu.open_console_session(repeat('5e', 32), $1, now(), now() + interval '1 hour') as opened`
  expect(await harness.sql(open, [presentedBy('nobody')])).toEqual([{ opened: false }])
  expect(await harness.sql(open, [presentedBy('ben')])).toEqual([{ opened: true }])
})
