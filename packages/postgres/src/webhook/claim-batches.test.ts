import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { deliveriesInAllStates, now } from '../test/delivery-states.fixture.ts'
import { effectOf } from '../test/row-changes.fixture.ts'

// Limits of a claim that reads several endpoints together.

const harness = useStoreHarness()
beforeAll(() => deliveriesInAllStates(harness))

const isDue = 'update quipu.delivery_cursor set is_due = true'
const nothingOut = ['delete from quipu.delivery_run', `delete from quipu.delivery_open where in_flight_until > ${now}`]

test.each<[name: string, limits: string, claimed: readonly string[], prepare: readonly string[]]>([
  [
    'a tenant, with what is out at all its endpoints',
    '99, 60, 9, 10',
    ['we_a 1-16', 'we_a 1-11', 'we_c 2-16', 'we_c 2-11', 'we_c 2-17', 'we_c 2-10', 'we_c 2-18'],
    [isDue],
  ],
  [
    'a tenant, without what another tenant was given',
    '99, 60, 99, 7',
    ['we_a 1-11', 'we_a 1-17', 'we_a 1-10', 'we_c 2-11', 'we_c 2-17', 'we_c 2-10'],
    [
      `delete from quipu.delivery_run where endpoint_id = 'we_b'`,
      `delete from quipu.delivery_open where endpoint_id = 'we_b' and in_flight_until > ${now}`,
    ],
  ],
  [
    'the claim',
    '6, 60, 5, 99',
    ['we_a 1-16', 'we_a 1-11', 'we_a 1-17', 'we_a 1-10', 'we_b 1-16', 'we_b 1-11'],
    [isDue, ...nothingOut],
  ],
  ['a tenant, of open deliveries only', '99, 60, 99, 9', ['we_a 1-11', 'we_c 2-11', 'we_c 2-17', 'we_c 2-10'], []],
  ['the claim, of open deliveries only', '4, 60, 99, 99', ['we_a 1-11', 'we_a 1-17', 'we_a 1-10', 'we_b 1-11'], []],
  [
    'the claim, of events of the log only',
    '2, 60, 99, 99',
    ['we_a 1-16', 'we_a 1-17'],
    [isDue, 'delete from quipu.delivery_open'],
  ],
])('several endpoints together stay within the limit of %s', async (_, limits, claimed, prepare) => {
  const lines = await effectOf(
    harness.sql,
    `select endpoint_id || ' ' || array_to_string(event_ids, ' ') as claimed
     from quipu.claim_deliveries(${limits}, false, 50, true, '', false, ${now})`,
    prepare,
  )
  const returned = lines.filter((line) => line.startsWith('returns'))
  expect(returned).toEqual(claimed.map((each) => `returns: ${each}`))
})
