import type { PayoutHistoryJson } from '@quipu/wire'
import { expect, test } from 'vitest'
import type { PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { ConsoleSystem } from './console.fixture.ts'

const history = async (api: PostgresApi, id: string): Promise<PayoutHistoryJson> =>
  (await api.operator('GET', `/operator/v1/payouts/${id}`)).json as PayoutHistoryJson

/** What operators do about payouts, by keyboard alone. */
export function payoutTests(system: () => ConsoleSystem): void {
  test('an operator asks the network about a payout and cancels it', async () => {
    const { open, seed, api } = system()
    const { page, flaws, shows, close } = await open(`/payouts/${seed.cancellable}`, {
      role: 'operator',
    })
    await page.getByRole('button', { name: 'Ask the network' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'Cancel at the network' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Cancel at the network' })
    expect(await flaws()).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel at the network' }).press('Enter')
    await shows(/The network answered/)
    const { payout } = await history(api, seed.cancellable)
    expect(payout.status).not.toBe('processing')
    await page.getByRole('button', { name: 'Ask the network' }).waitFor({ state: 'detached' })
    await close()
  })

  test('an operator proposes a settlement; the API’s refusals are shown at their fields', async () => {
    const { open, seed, api } = system()
    const { page, flaws, shows, close } = await open(`/payouts/${seed.disputed}`, {
      role: 'operator',
    })
    await page.getByRole('button', { name: 'Ask the network' }).press('Enter')
    const asking = page.getByRole('dialog', { name: 'Ask the network' })
    await asking.getByRole('button', { name: 'Ask the network' }).press('Enter')
    await shows(/The network answered/)
    await page.getByRole('button', { name: 'Propose a settlement' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Propose a settlement' })
    await dialog.getByLabel('Reason').fill('The network confirmed a payment of BOB 100.00.')
    await dialog.getByLabel('Evidence', { exact: true }).fill('Letter of the network.')
    const file = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('letter') }
    await dialog.getByLabel('File of the evidence').setInputFiles(file)
    await dialog.locator('code').waitFor()
    const propose = dialog.getByRole('button', { name: 'Propose a settlement' })
    await propose.press('Enter')
    await shows('is required with completed')
    expect(await flaws()).toEqual([])
    await dialog.getByLabel('Paid by the network').fill('100.00')
    await propose.press('Enter')
    await shows('Proposed. Another operator')
    const { proposals } = await history(api, seed.disputed)
    expect(proposals).toMatchObject([{ status: 'open', proposed_by: 'omar' }])
    await close()
  })

  test('the filters of the list stay in the address', async () => {
    const { page, shows, close } = await system().open('/payouts')
    await page.getByLabel('Status').selectOption('completed')
    await page.waitForURL(/status=completed/)
    await page.getByText('Processing').filter({ visible: true }).waitFor({ state: 'detached' })
    await page.reload()
    await shows('Panadería La Paz')
    expect(await page.getByLabel('Status').inputValue()).toBe('completed')
    await close()
  })

  test('the search of every page finds a payout', async () => {
    const { open, seed } = system()
    const { page, close } = await open('/')
    await page.getByRole('searchbox', { name: 'Search' }).fill(seed.paid)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: seed.paid }).press('Enter')
    await page.getByRole('heading', { name: 'Payout' }).waitFor()
    await page.locator('h1:focus').waitFor()
    expect(await page.title()).toContain('Payout')
    await close()
  })
}
