import { usdt } from '@quipu/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFragileStores, useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('a connection that breaks while it is checked is replaced, without an uncaught error', async () => {
  const tenantId = await harness.newWallet(usdt(10n))
  const { fragile, proxy } = await openFragileStores(harness.stores.processUrl)
  const uncaught = vi.fn<(error: Error) => void>()
  process.on('uncaughtExceptionMonitor', uncaught)
  onTestFinished(async () => {
    process.off('uncaughtExceptionMonitor', uncaught)
    await fragile.close()
    await proxy.shut()
  })

  const cut = proxy.cutNext('transaction_read_only', 'sent')
  const wallet = await fragile.wallets.find(tenantId)
  await cut

  expect(wallet).toMatchObject({ available: usdt(10n) })
  expect(uncaught).not.toHaveBeenCalled()
})
