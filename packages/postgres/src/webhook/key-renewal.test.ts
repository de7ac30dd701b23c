import { newTopUp } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { newEndpoint } from '../test/deliveries.fixture.ts'

/** A renewed value replaces the one of its endpoint or address, and of no other. */
const harness = useStoreHarness()

test('renewed secrets are those of the endpoint and tenant that they were read from', async () => {
  const { webhooks } = harness.stores
  const [tenantId, other] = [await harness.newWallet(usdt(0n)), await harness.newWallet(usdt(0n))]
  const [id, second] = [await newEndpoint(harness, tenantId), await newEndpoint(harness, tenantId)]
  const { secrets } = (await webhooks.get(tenantId, id)) ?? expect.fail('the endpoint is missing')
  const renewed = secrets.map((secret) => ({ ...secret, ciphertext: '2.renewed' }))
  expect(secrets).not.toEqual([])
  for (const ref of [
    { tenantId, id: harness.ids.next('we', new Date()) },
    { tenantId: other, id },
  ])
    expect(await webhooks.renewSecrets({ ...ref, secrets }, renewed)).toBe(false)
  expect((await webhooks.get(tenantId, id))?.secrets).toEqual(secrets)
  const untouched = await webhooks.get(tenantId, second)
  expect(await webhooks.renewSecrets({ tenantId, id, secrets }, renewed)).toBe(true)
  expect((await webhooks.get(tenantId, id))?.secrets).toEqual(renewed)
  expect(await webhooks.get(tenantId, second)).toEqual(untouched)
})

test('a renewed MAC is that of the address and chain that it was read from', async () => {
  const { addresses } = harness.stores
  const topUp = await newTopUp(harness.stores, await harness.newWallet(usdt(0n)))
  const other = await newTopUp(harness.stores, await harness.newWallet(usdt(0n)))
  const stored = async () => addresses.match('tron', [topUp.account, other.account])
  const before = await stored()
  expect(await addresses.renewMac({ ...topUp, account: other.account }, '2.renewed')).toBe(false)
  const call = 'select quipu.renew_address_mac($1, $2, $3, $4) as renewed'
  const elsewhere = ['elsewhere', topUp.account, topUp.mac, '2.renewed']
  expect(await harness.sql(call, elsewhere)).toEqual([{ renewed: false }])
  expect(await stored()).toEqual(before)
  expect(await addresses.renewMac(topUp, '2.renewed')).toBe(true)
  expect((await stored()).map(({ mac }) => mac).toSorted()).toEqual(['2.renewed', other.mac].toSorted())
})
