import { signatureOf } from '@quipu/contracts'
import type { ApiKeyJson, ProposalJson, SweepBatchJson, SweepFileJson } from '@quipu/wire'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ConsoleSystem, Shown } from './console.fixture.ts'
import { openWithKeyboard, operatorReads } from './operator-reads.fixture.ts'
import { phone } from './site.fixture.ts'

/** Actions of operators in production alone, or where deposits are swept, by keyboard alone. */
export function productionTests(system: () => ConsoleSystem): void {
  const { one, list } = operatorReads(() => system().production.api)
  const open = (path: string, shown: Shown = {}) =>
    openWithKeyboard(system(), path, { ...phone, site: 'production', ...shown })

  test('a live key is issued, rotated and revoked; another admin approves what can pay', async () => {
    const { id } = await system().production.api.tenant({ funds: 0n })
    const keys = () => list<ApiKeyJson>(`/tenants/${id}/api-keys`)
    const { clock } = system().production.api
    const { press, type, check, shows, page, close } = await open(`/tenants/${id}`)
    clock.step(1_000)
    await press('Issue a key')
    await type('name', 'checkout')
    await check('payouts:write')
    await press('Issue a key')
    await shows('is required')
    await type('reason', 'They go live.')
    await press('Issue a key')
    await shows('another admin')
    const key = await page.locator('dialog[open] .secret code').innerText()
    expect(key).toMatch(/^qpu_live_/)
    await press('I have stored it')
    const approve = async (action: string): Promise<void> => {
      const [proposal] = await list<ProposalJson>('/proposals?status=open')
      expect(proposal).toMatchObject({ action, proposed_by: 'olivia' })
      const other = await open(`/proposals/${proposal?.id}`, { role: 'second admin' })
      await other.press('Approve')
      await other.press('Approve')
      await other.shows('The proposal is now: Executed.')
      await other.close()
    }
    await approve('issue_api_key')
    const [issued] = await keys()
    expect([issued?.name, issued?.activated_at]).toEqual(['checkout', expect.any(String)])
    await page.reload()
    clock.step(1_000)
    await press(`Rotate checkout …${issued?.last_four}`)
    await type('overlap_seconds', '0')
    await type('reason', 'The yearly rotation.')
    await press('Rotate')
    await shows('another admin')
    await press('I have stored it')
    await approve('issue_api_key')
    const [successor] = await keys()
    expect([successor?.replaces, successor?.activated_at]).toEqual([issued?.id, expect.any(String)])
    await page.reload()
    await press(`Revoke checkout …${successor?.last_four}`)
    await type('typed_name', 'checkout')
    await press('Revoke')
    await shows('The key was revoked.')
    expect((await keys())[0]?.revoked_at).toEqual(expect.any(String))
    await close()
  })

  test('a batch of sweeps is planned, goes to the signer, and its signatures come back', async () => {
    const account = await system().production.fundAddress()
    const { press, type, attach, enter, shows, page, close } = await open('/sweeps')
    await press('Plan a batch')
    await type('threshold', '26')
    await press('Plan a batch')
    await shows('NOTHING_TO_SWEEP')
    await type('threshold', '25.00')
    await press('Plan a batch')
    await page.getByRole('heading', { name: 'Sweep batch' }).waitFor()
    await shows('Transfers planned: 1.')
    const id = page.url().split('/').at(-1)
    const download = page.waitForEvent('download')
    await enter('Download for the signer')
    const path = await (await download).path()
    const file = JSON.parse(readFileSync(path, 'utf8')) as SweepFileJson
    expect(file).toMatchObject({ format: 'quipu-sweep-v1', batch_id: id })
    await press('Import signatures')
    await attach('File with the signatures', 'no JSON')
    await press('Import signatures')
    await shows('VALIDATION_FAILED')
    const signed = file.transfers.map(({ id, tx_id }) => ({ id, tx_id, signature: signatureOf(account, tx_id) }))
    await attach('File with the signatures', JSON.stringify({ transfers: signed }))
    await press('Import signatures')
    await shows('Signatures: 1 accepted.')
    expect(await one<SweepBatchJson>(`/sweep/batches/${id}`)).toMatchObject({
      created_by: 'olivia',
      transfers: [{ status: 'signed' }],
    })
    await close()
  })
}
