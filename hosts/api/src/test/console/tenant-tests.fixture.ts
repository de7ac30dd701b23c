import { expect, test } from 'vitest'
import type { ApiKeyJson, ProposalJson, TenantJson } from '@quipu/wire'
import { sendRequest } from '../harness/http-client.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import type { ConsoleSystem } from './console.fixture.ts'
import { openWithKeyboard, operatorReads } from './operator-reads.fixture.ts'
import { phone } from './site.fixture.ts'

/** Actions of operators on tenants and their keys, by keyboard alone. */
export function tenantTests(system: () => ConsoleSystem): void {
  const { one, list } = operatorReads(() => system().api)
  const tenantOf = (): TestTenant => system().seed.control.acts.tenant
  const open = (path: string) => openWithKeyboard(system(), path, phone)

  test('an operator creates a tenant, and changes its details, pricing, limits and status', async () => {
    const { press, type, shows, flaws, page, close } = await open('/tenants')
    await press('Create a tenant')
    await type('legal_name', 'Kantuta S.A.')
    await type('technical_contact.name', 'Rosa Mamani')
    await type('technical_contact.email', 'no address')
    await press('Create a tenant')
    await shows('must be an email address')
    await type('technical_contact.email', 'rosa@example.com')
    await press('Create a tenant')
    await page.getByRole('heading', { name: 'Kantuta S.A.' }).waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    const tenant = () => one<TenantJson>(`/tenants/${id}`)
    expect(await tenant()).toMatchObject({
      legal_name: 'Kantuta S.A.',
      status: 'active',
      technical_contact: { name: 'Rosa Mamani', email: 'rosa@example.com' },
    })
    await press('Change the details')
    await type('legal_name', 'Kantuta S.R.L.')
    await press('Change the details')
    await page.getByRole('heading', { name: 'Kantuta S.R.L.' }).waitFor()
    await press('Change the pricing')
    await type('margin_bps', '175')
    await press('Change the pricing')
    await expect.poll(async () => (await tenant()).margin_bps).toBe(175)
    await press('Change the limits')
    await type('daily_limit_usdt', '250.50')
    await press('Change the limits')
    await expect.poll(async () => (await tenant()).daily_limit_usdt).toBe('250.500000')
    await press('Suspend')
    await type('cause', 'Court')
    await type('reason', 'Order 12 of the court.')
    await type('typed_name', 'Kantuta')
    await press('Suspend')
    await shows('This is another name.')
    expect((await tenant()).status).toBe('active')
    await type('typed_name', 'Kantuta S.R.L.')
    await press('Suspend')
    await shows('The tenant is suspended.')
    await shows('Order 12 of the court.')
    expect((await tenant()).suspension).toMatchObject({ cause: 'court_order' })
    await press('Resume')
    await type('reason', 'The order is lifted.')
    await press('Resume')
    await shows('Proposed: another person has to approve it')
    const [resumption] = await list<ProposalJson>('/proposals?status=open&action=resume_tenant')
    const approval = `${system().api.api.operatorUrl}/operator/v1/proposals/${resumption?.id}/approve`
    expect((await sendRequest(approval, 'POST', { token: 'operators' })).status).toBe(200)
    await expect.poll(async () => (await tenant()).status).toBe('active')
    expect(await flaws()).toEqual([])
    await close()
  })

  test('a key is issued, shown once, rotated and revoked', async () => {
    const { api } = system()
    const { id } = tenantOf()
    const { press, type, check, shows, dialogFlaws, page, close } = await open(`/tenants/${id}`)
    const keys = () => list<ApiKeyJson>(`/tenants/${id}/api-keys`)
    const shown = (): Promise<string> => page.locator('dialog[open] .secret code').innerText()
    await press('Issue a key')
    await type('name', 'reports')
    await check('wallet:read')
    await check('payouts:read')
    await type('allowed_addresses', '127.0.0.0/8\n::1')
    await press('Issue a key')
    await shows('It is shown here and never again')
    expect(await dialogFlaws()).toEqual([])
    const key = await shown()
    for (let time = 0; time < 3; time++) await page.keyboard.press('Escape')
    expect(await shown()).toBe(key)
    await press('I have stored it')
    await expect.poll(() => page.content()).not.toContain(key)
    const wallets = (presented: string) => sendRequest(`${api.api.url}/v1/wallets`, 'GET', { key: presented })
    expect((await wallets(key)).status).toBe(200)
    expect((await keys())[0]).toMatchObject({
      name: 'reports',
      scopes: ['payouts:read', 'wallet:read'],
      allowed_addresses: ['127.0.0.0/8', '::1'],
    })
    const [issued] = await keys()
    await press(`Rotate reports …${issued?.last_four}`)
    await type('overlap_seconds', '7200')
    await press('Rotate')
    await shows('It is shown here and never again')
    const [successor, old] = await keys()
    expect((await wallets(await shown())).status).toBe(200)
    expect([successor?.replaces, old?.expires_at]).toEqual([old?.id, expect.any(String)])
    await press('I have stored it')
    const name = `reports …${successor?.last_four}`
    await press(`Addresses ${name}`)
    await type('allowed_addresses', '127.0.0.1')
    await press('Addresses')
    await shows('The addresses were changed.')
    expect((await keys())[0]?.allowed_addresses).toEqual(['127.0.0.1'])
    await press(`Addresses ${name}`)
    await type('allowed_addresses', '')
    await page.keyboard.press('Delete')
    await press('Addresses')
    await expect.poll(async () => (await keys())[0]?.allowed_addresses).toBe(null)
    await press(`Revoke reports …${successor?.last_four}`)
    await type('typed_name', 'reports')
    await press('Revoke')
    await shows('The key was revoked.')
    expect((await keys())[0]?.revoked_at).toEqual(expect.any(String))
    await close()
  })

  test('money is moved by hand only with a second person, and an address is retired', async () => {
    const { id } = tenantOf()
    const { press, type, shows, flaws, page, close } = await open(`/tenants/${id}`)
    await press('Adjust the wallet')
    await type('direction', 'Out')
    await type('amount', '4.50')
    await type('reason', 'Paid back by hand.')
    const keys: (string | null)[] = []
    await page.route('**/adjustments', async (route) => {
      keys.push(await route.request().headerValue('Idempotency-Key'))
      if (keys.length > 1) return route.continue()
      await route.fetch() // The API books it, and its answer is lost.
      await route.abort()
    })
    await press('Adjust the wallet')
    await shows('does not answer')
    expect((await flaws()).filter((flaw) => !flaw.includes('ERR_FAILED'))).toEqual([])
    await press('Adjust the wallet')
    await shows('Proposed: another person has to approve it')
    expect(keys).toEqual([keys[0], keys[0]])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    const [proposal, older] = await list<ProposalJson>('/proposals?status=open')
    expect(older?.reason).not.toBe('Paid back by hand.')
    expect(proposal).toMatchObject({
      action: 'adjust_wallet',
      reason: 'Paid back by hand.',
      evidence: null,
      details: { direction: 'out', amount: '4.500000' },
    })
    await press('Retire the top-up address')
    await type('typed_name', (await one<TenantJson>(`/tenants/${id}`)).legal_name)
    await press('Retire the top-up address')
    await shows(/^Retired: T/)
    expect(await system().api.stores.addresses.list(id)).toEqual([])
    await close()
  })
}
