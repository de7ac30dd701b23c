import type {
  IssuedApiKeyJson,
  PageJson,
  PayoutHistoryJson,
  ProposalJson,
  QrNetworkJson,
  TenantJson,
} from '@quipu/wire'
import { readFile } from 'node:fs/promises'
import { sha256 } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import type { PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { ConsoleSystem } from './console.fixture.ts'
import { openWithKeyboard } from './operator-reads.fixture.ts'
import { recordDifferences } from './seed-control.fixture.ts'
import type { PayoutActs } from './seed.fixture.ts'
import { phone } from './site.fixture.ts'

const history = async (api: PostgresApi, id: string): Promise<PayoutHistoryJson> =>
  (await api.operator('GET', `/operator/v1/payouts/${id}`)).json as PayoutHistoryJson

/** Actions of operators on payouts, by keyboard alone. */
export function payoutTests(system: () => ConsoleSystem): void {
  const acts = (): PayoutActs => system().seed.acts
  const open = (path: string) => openWithKeyboard(system(), path, { ...phone, role: 'operator' })

  test('an operator queries the network about a payout and cancels it', async () => {
    const { api } = system()
    const { cancellable } = acts()
    const { page, press, shows, close } = await open(`/payouts/${cancellable}`)
    await press('Query the network')
    await press('Cancel')
    await press('Cancel at the network')
    await press('Cancel at the network')
    await shows(/The network answered/)
    expect((await history(api, cancellable)).payout.status).not.toBe('processing')
    await page.getByRole('button', { name: 'Query the network' }).waitFor({ state: 'detached' })
    await close()
  })

  test('cancelling is offered only where the network can', async () => {
    const { api, seed } = system()
    const { page, shows, visit, follow, close } = await open('/network')
    const network = (await api.operator('GET', '/operator/v1/network')).json as QrNetworkJson
    const { configured } = network
    const capabilities = { ...configured.capabilities, unpaid_proof: 'people' }
    const json = { ...network, configured: { ...configured, capabilities } }
    await page.route('**/operator/v1/network', (route) => route.fulfill({ json }))
    await visit('/network')
    await shows('two people settle by evidence')
    await follow(`/payouts/${seed.hanging}`)
    await shows('was this payment made')
    await page.getByRole('button', { name: 'Propose a settlement' }).waitFor()
    expect(await page.getByRole('button', { name: 'Cancel at the network' }).count()).toBe(0)
    await page.unroute('**/operator/v1/network')
    await visit(`/payouts/${seed.hanging}`)
    await page.getByRole('button', { name: 'Cancel at the network' }).waitFor()
    await close()
  })

  test('an operator proposes a settlement; the API’s refusals are shown at their fields', async () => {
    const { api } = system()
    const { disputed } = acts()
    const { press, type, attach, dialogFlaws, shows, close } = await open(`/payouts/${disputed}`)
    await press('Query the network')
    await press('Query the network')
    await shows(/The network answered/)
    await press('Propose a settlement')
    await type('reason', 'The network confirmed a payment of BOB 100.00.')
    await type('evidence.note', 'Letter of the network.')
    await attach('File of the evidence', 'letter')
    await press('Propose a settlement')
    await shows('is required with completed')
    expect(await dialogFlaws()).toEqual([])
    await type('paid_amount', '100.00')
    await press('Propose a settlement')
    await shows('The network answered another payment than this settlement.')
    expect(await dialogFlaws()).toEqual([])
    expect((await history(api, disputed)).proposals).toEqual([])
    await type('contradicts_network', 'Differs')
    await press('Propose a settlement')
    await shows('Proposed. Another operator')
    expect((await history(api, disputed)).proposals).toMatchObject([
      { status: 'open', proposed_by: 'omar', details: { contradicts_network: true } },
    ])
    await close()
  })

  test('an operator proposes to refund what a completed payout cost', async () => {
    const { api, seed } = system()
    const { press, type, dialogFlaws, shows, close } = await open(`/payouts/${seed.paid}`)
    await press('Propose a refund')
    await type('reason', 'The bank returned the payment.')
    expect(await dialogFlaws()).toEqual([])
    await press('Propose a refund')
    await shows('Proposed. Another operator')
    const opened = await api.operator('GET', '/operator/v1/proposals?status=open&limit=1')
    const [proposal] = (opened.json as { readonly data: readonly ProposalJson[] }).data
    const { source } = (await history(api, seed.paid)).payout
    expect(proposal).toMatchObject({
      action: 'adjust_wallet',
      proposed_by: 'omar',
      details: { direction: 'in', amount: source?.amount, payout_id: seed.paid },
    })
    await close()
  })
}

/** Lists and the search. */
export function listTests(system: () => ConsoleSystem): void {
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

  test('the address of each filtered list restores every filter', { tags: 'long' }, async () => {
    const { page, visit, settle, close } = await system().open('/')
    const read = (expression: string) => page.evaluate<string[]>(expression)
    const values = () => read(`[...document.querySelectorAll('form.filters :is(input, select)')].map((it) => it.value)`)
    const filtered: string[] = []
    for (const path of await read(`[...document.querySelectorAll('nav a')].map((link) => link.pathname.slice(8))`)) {
      await visit(path)
      const [fields, heading] = [page.locator('form.filters label'), await page.locator('h1').innerText()]
      for (let at = 0; at < (await fields.count()); at++) {
        const [field, before] = [fields.nth(at).locator('input, select'), page.url()]
        const type = await field.getAttribute('type')
        const isTenant = /^tenant$/i.test((await fields.nth(at).innerText()).trim())
        if ((await fields.nth(at).locator('select').count()) > 0) await field.selectOption({ index: 1 })
        else await field.fill(type === 'date' ? '2026-01-15' : isTenant ? system().seed.tenant.id : `2026-0${at + 1}`)
        await field.press('Enter')
        await page.waitForURL((url) => url.href !== before)
        await settle()
      }
      if (!page.url().includes('?')) continue
      filtered.push(path)
      const chosen = await values()
      expect([path, ...chosen]).not.toContain('')
      await visit(page.url().split('/console')[1] ?? '')
      await expect.poll(values).toEqual(chosen)
      expect(await page.locator('h1').innerText()).toBe(heading)
    }
    expect(filtered.length).toBeGreaterThanOrEqual(13)
    await close()
  })

  test('a list is filtered by a tenant’s name, and downloaded whole as CSV with its filters', async () => {
    const { api, open, seed } = system()
    const contact = { name: 'Rosa', email: 'rosa@example.com' }
    const bakery = { legal_name: 'Panadería Única S.A.', technical_contact: contact }
    const { id } = (await api.operator('POST', '/operator/v1/tenants', bakery)).json as { id: string }
    const { page, shows, step, close } = await open('/payouts?status=completed')
    const filter = async (text: string): Promise<void> => {
      await page.getByLabel('Tenant', { exact: true }).fill(text)
      await page.keyboard.press('Enter')
    }
    await filter('PANADERIA unica')
    await page.waitForURL(`**tenant_id=${id}`)
    const field = page.getByLabel('Tenant', { exact: true })
    await field.fill('ejempló')
    const renewed = page.waitForResponse(/v1.payouts/)
    await step(8_000)
    await renewed
    await shows('No payout matches')
    expect(await field.inputValue()).toBe('ejempló')
    await filter('ejempló')
    await shows(/\d tenants fit: choose one/)
    await filter(seed.tenant.id)
    await page.waitForURL(`**tenant_id=${seed.tenant.id}`)
    await shows('Panadería La Paz')
    const link = page.getByRole('link', { name: 'Download as CSV' })
    expect(await link.getAttribute('href')).toMatch(
      /^\/operator\/v1\/payouts\?status=completed&tenant_id=ten_\w+&format=csv$/,
    )
    const [file] = await Promise.all([page.waitForEvent('download'), link.press('Enter')])
    expect(file.suggestedFilename()).toBe('payouts.csv')
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toMatch(/^id,tenant_id,type,status,[^]*,completed,/)
    await close()
  })

  test('instants and days are in the chosen zone, which is named and kept', async () => {
    const { page, close } = await system().open('/payouts')
    const shown = page.locator('tbody time').first()
    await page.getByLabel('Time zone').selectOption('UTC')
    await expect.poll(() => shown.textContent()).toMatch(/UTC$/)
    await page.getByLabel('Time zone').selectOption('America/La_Paz')
    await expect.poll(() => shown.textContent()).toMatch(/GMT-4$/)
    await page.getByLabel('From GMT-4').fill('2026-01-02')
    await page.waitForURL(/from=2026-01-02T04%3A00%3A00.000Z/)
    await page.reload()
    await expect.poll(() => shown.textContent()).toMatch(/GMT-4$/)
    expect(await page.getByLabel('From GMT-4').inputValue()).toBe('2026-01-02')
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

  test('a found key is searched for by its hash, and is neither in the address nor sent', async () => {
    const { open, api } = system()
    const tenants = (await api.operator('GET', '/operator/v1/tenants')).json as PageJson<TenantJson>
    const path = `/operator/v1/tenants/${tenants.data[0]?.id}/api-keys`
    const issued = await api.operator('POST', path, { name: 'Found', scopes: ['wallet:read'] })
    const { key, id } = issued.json as IssuedApiKeyJson
    const { page, close } = await open('/', phone)
    const sent: string[] = []
    page.on('request', (each) => sent.push(`${each.url()} ${each.postData()}`))
    await page.getByRole('searchbox', { name: 'Search' }).fill(key)
    await page.keyboard.press('Enter')
    await page.getByText(id).filter({ visible: true }).waitFor()
    expect(page.url()).toContain(`hash=${sha256(key)}`)
    expect(sent.join('\n')).toContain(sha256(key))
    expect(sent.join('\n')).not.toContain(key)
    await close()
  })

  test('of an operator’s token only the hash is sent; the hash of a transaction is searched for as it is', async () => {
    const { open, api } = system()
    const secret = 'c0de'.repeat(16)
    const person = { person: 'vera', label: 'Found', role: 'viewer', reason: 'Joined.' }
    const body = { ...person, hash: sha256(secret), expires_at: new Date(Date.now() + 86_400_000).toISOString() }
    const { id } = (await api.operator('POST', '/operator/v1/operator-tokens', body)).json as { id: string }
    const { page, close } = await open('/')
    const sent: string[] = []
    page.on('request', (each) => sent.push(`${each.url()} ${each.postData()}`))
    const search = async (text: string) => {
      await page.getByRole('searchbox', { name: 'Search' }).fill(text)
      await page.keyboard.press('Enter')
    }
    await search(secret)
    await page.getByText(id).filter({ visible: true }).waitFor()
    expect(page.url()).toContain(`hash=${sha256(secret)}`)
    expect(sent.join('\n')).not.toContain(secret)
    const txHash = 'ab'.repeat(32)
    await search(txHash)
    await page.waitForURL(`**/search?q=${txHash}`)
    await page.getByText('No chain is configured').filter({ visible: true }).waitFor()
    await close()
  })

  test('a list is read page by page on a phone', async () => {
    await recordDifferences(system().api, 60)
    const opened = await openWithKeyboard(system(), '/differences?check=network', phone)
    const { enter, page, shows, close } = opened
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(50)
    await enter('Older')
    await shows('Newest')
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(10)
    await enter('Newest')
    await page.waitForURL((url) => !url.search.includes('cursor'))
    await expect.poll(() => rows.count()).toBe(50)
    await close()
  })
}
