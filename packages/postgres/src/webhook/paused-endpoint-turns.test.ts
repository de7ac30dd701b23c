import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, now } from '../test/delivery-states.fixture.ts'
import { effectOf } from '../test/row-changes.fixture.ts'

// Which endpoints a claim visits. What waits at paused endpoints stays due while they are paused: were they visited,
// each claim would take longer with their number, up to its time-out.

const harness = useStoreHarness()
beforeAll(() => deliveriesInAllStates(harness))

const paused = `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} where id = 'we_a'`
const noResend = `delete from quipu.delivery_open where return_to is not null`

test.each<[name: string, visited: string, prepare: readonly string[]]>([
  ['each endpoint with a due delivery', '[we_a we_b we_c]', [noResend]],
  ['no paused one', '[we_b we_c]', [noResend, paused]],
  [
    'no paused one whose resend is due later',
    '[we_b we_c]',
    [paused, `update quipu.delivery_open set next_at = ${now} + interval '1 ms' where return_to is not null`],
  ],
  ['a paused one with a resend that is due', '[we_a we_b we_c]', [paused]],
  [
    'no paused one beside another whose resend is due',
    '[we_b we_c]',
    [paused, `delete from quipu.delivery_open where return_to is not null and endpoint_id = 'we_a'`],
  ],
  [
    'a paused one whose cursor is marked',
    '[we_a we_b we_c]',
    [noResend, paused, 'update quipu.delivery_cursor set is_due = true'],
  ],
  [
    'a removed one, whose deliveries are deleted',
    '[we_a we_b we_c]',
    [noResend, `delete from quipu.webhook_endpoint where id = 'we_a'`],
  ],
])('%s', async (_, visited, prepare) => {
  const lines = await effectOf(harness.sql, `select * from quipu.next_due_endpoints('', null, 9, ${now})`, prepare)
  expect(lines).toEqual([`returns: ${visited}`])
})
