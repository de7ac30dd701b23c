import { afterEach, beforeEach, expect, test } from 'vitest'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'
import { eventsHappen, everything, newReceiver } from '../test/deliveries.fixture.ts'

// Claims with an event or an endpoint that was damaged in the database.

let clock: Date
let harness: StoreHarness
let [damaged, damagedId, sound, soundId] = ['', '', '', '']
beforeEach(async () => {
  clock = new Date(Date.now() + 60_000)
  harness = await openStoreHarness({ clockOverride: () => clock })
  ;[damaged, damagedId] = await newReceiver(harness)
  ;[sound, soundId] = await newReceiver(harness)
})
afterEach(() => harness.close())

/** The endpoints whose deliveries were claimed at three instants, each after all leases have ended. */
async function claimThrice(): Promise<readonly string[]> {
  const ids: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const claimed = await harness.stores.deliveries.claimDue(everything).catch(() => [])
    ids.push(...claimed.map(({ claim }) => claim.endpointId))
    clock = new Date(clock.getTime() + 2 * everything.leaseSeconds * 1_000)
  }
  return ids
}

test.each([
  ['are no JSON object', '05', true],
  ['have a trace and nothing else', '1e414243', true],
  ['are not UTF-8', '7bff7d', false],
  ['have a zero byte', '7b007d', false],
])('an event whose bytes %s stops no delivery of another tenant', async (_, bytes, isChanged) => {
  await harness.sql(eventsHappen, [damaged, 1])
  await harness.sql('alter table quipu.payout_end disable trigger user')
  await harness.sql('update quipu.payout_end set body = $1', [Buffer.from(bytes, 'hex')])
  await harness.sql(eventsHappen, [sound, 1])
  expect((await claimThrice()).toSorted()).toEqual(
    [damagedId, damagedId, damagedId, soundId, soundId, soundId].toSorted(),
  )
  const claimed = await harness.stores.deliveries.claimDue(everything)
  expect(claimed.find(({ claim }) => claim.endpointId === soundId)?.body).toEqual(Buffer.from('{"seq":1}'))
  const bad = claimed.find(({ claim }) => claim.endpointId === damagedId)
  if (isChanged) expect(() => bad?.body).toThrow(/brace/)
  else expect(bad?.body).toEqual(Buffer.from(bytes, 'hex'))
})

test.each(['null', '{}', '[null]'])(
  'an endpoint whose secrets were changed to %s stops no delivery of another tenant',
  async (secrets) => {
    await harness.sql('alter table quipu.webhook_endpoint drop constraint webhook_endpoint_secrets_check')
    await harness.sql('update quipu.webhook_endpoint set secrets = $1 where id = $2', [secrets, damagedId])
    await harness.sql(eventsHappen, [damaged, 1])
    await harness.sql(eventsHappen, [sound, 1])
    const claimed = await harness.stores.deliveries.claimDue(everything)
    expect(claimed.find(({ claim }) => claim.endpointId === soundId)?.secrets).toHaveLength(1)
    expect(claimed.find(({ claim }) => claim.endpointId === damagedId)?.secrets).toEqual([])
  },
)
