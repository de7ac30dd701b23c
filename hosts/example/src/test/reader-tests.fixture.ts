import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Elsewhere, ownQr } from './elsewhere.fixture.ts'
import type { TestExample } from './example.fixture.ts'
import { isAtHand, languages } from './other-languages.fixture.ts'
import { openPage } from './page.fixture.ts'

const runFile = promisify(execFile)

export type ReaderSite = { readonly browser: Browser; readonly example: TestExample; readonly elsewhere: Elsewhere }

const pythons = languages.filter((language) => language.name === 'Python' && isAtHand(language))

/** Steps of a reader. @param shown  in which width and scheme */
export function readerTests(...of: [site: () => ReaderSite, shown: BrowserContextOptions]): void {
  prefillTests(...of)
  codeTests(...of)
  searchTests(...of)
}

function prefillTests(site: () => ReaderSite, shown: BrowserContextOptions): void {
  test('reads, quotes and pays a QR, each request prefilled from the answer before', async () => {
    const { browser, example } = site()
    const { page, requests, send } = await openPage(browser, `${example.url}/docs`, shown)
    expect(await send('resolveQr')).toMatch(/201 Created[^]+"amount": "100\.00"/)

    expect(await send('createQuote')).toMatch(/201 Created[^]+"rate": "9\.\d{4}"/)
    const paid = await send('createPayout')
    expect(paid).toMatch(/201 Created[^]+"status": "completed"/)
    const [, id = ''] = /"id": "(po_\w+)"/.exec(paid) ?? []
    expect(await send('getPayout')).toContain(`"id": "${id}"`)
    expect(requests.at(-1)).toBe(`GET ${example.url}/v1/payouts/${id}`)
    await page.close()
  })

  test('a QR that one server issued fills the forms for that server, and no other server gets it', async () => {
    const { browser, elsewhere } = site()
    const url = `${elsewhere.url}/docs`
    const { page, consoleErrors, send } = await openPage(browser, url, shown)
    await page.getByLabel('Key', { exact: true }).fill('qpu_test_mine')
    expect(await send('createSandboxQr')).toContain(ownQr)
    expect(await send('resolveQr')).toContain('201 Created')
    const body = page.locator('[id="createPayout-body"]')
    expect(await body.inputValue()).toContain(`"content": "${ownQr}"`)

    await page.getByRole('combobox', { name: 'Server' }).selectOption('Example server')
    expect(await body.inputValue()).toContain('"content": "MOCK:CLOSED:100.00"')
    expect(await send('resolveQr')).toContain('201 Created')
    expect(await send('createQuote')).toContain('201 Created')
    expect(await send('createPayout')).toMatch(/201 Created[^]+"status": "completed"/)

    await page.getByRole('combobox', { name: 'Server' }).selectOption('This server')
    expect(await body.inputValue()).toContain(`"content": "${ownQr}"`)
    expect(consoleErrors).toEqual([])
    await page.close()
  })
}

function codeTests(site: () => ReaderSite, shown: BrowserContextOptions): void {
  test('the code is the request that the form sends, in the language that was chosen last', async () => {
    const { browser, example } = site()
    const { page, at, show } = await openPage(browser, `${example.url}/docs#listPayouts`, shown)
    const operation = at('listPayouts')
    const code = operation.locator('.sample pre')
    await operation.locator('details.try summary').click()
    await operation.getByLabel('limit').fill('5')
    await page.getByLabel('Key', { exact: true }).fill('qpu_mock_mine')
    expect((await code.innerText()).split(/ \\\n\s*/)).toEqual([
      `curl "${example.url}/v1/payouts?limit=5"`,
      '-H "X-API-Key: qpu_mock_mine"',
    ])
    await operation.getByRole('button', { name: 'TypeScript' }).click()
    expect(await code.innerText()).toContain('for await (const item of client.payouts.list({ limit: 5 }))')
    await page.reload()
    await show('getWallet')
    const other = at('getWallet').locator('.sample')
    expect(await other.locator('pre').innerText()).toContain('client.wallets.get()')
    await other.getByRole('button', { name: 'Python' }).click()
    expect(await other.locator('[aria-pressed="true"]').innerText()).toBe('Python')
    await show('listPayouts')
    expect(await code.innerText()).toContain('urllib.request.urlopen(request')
    await page.close()
  })

  test('the shown code runs: curl, and Python where it is at hand', async () => {
    const { browser, example } = site()
    const { page, at } = await openPage(browser, `${example.url}/docs#resolveQr`, shown)
    const sample = at('resolveQr').locator('.sample')
    const ran = await runFile('sh', ['-c', await sample.locator('pre').innerText()])
    expect(ran.stdout).toContain('"resolution_id":"qrr_')
    await sample.getByRole('button', { name: 'Python' }).click()
    const program = await sample.locator('pre').innerText()
    for (const { command, variable } of pythons)
      expect((await runFile(process.env[variable] ?? command, ['-c', program])).stdout).toMatch(
        /^201 \{"resolution_id":"qrr_/,
      )
    await page.close()
  })
}

function searchTests(site: () => ReaderSite, shown: BrowserContextOptions): void {
  test('the search finds codes, members, texts and guides by keyboard', async () => {
    const { browser, example } = site()
    const { page, at } = await openPage(browser, `${example.url}/docs`, shown)
    const results = page.locator('#results').getByRole('option')
    const search = page.locator('#search-box')
    await page.keyboard.press('/')
    await page.keyboard.type('quote expired')
    expect(await results.first().innerText()).toContain('QUOTE_EXPIRED')
    await page.keyboard.press('Enter')
    await at('error-QUOTE_EXPIRED').getByText('What to do').first().waitFor()
    expect(await search.inputValue()).toBe('')

    await page.keyboard.press('/')
    await page.keyboard.type('payment_cap')
    expect(await results.first().innerText()).toMatch(/payment_cap\s+Member of Wallet/)
    await search.fill('resolution named')
    const member = results.filter({ hasText: 'Member of Payout' })
    expect(await member.first().innerText()).toContain('named, if any. matches')
    await search.fill('constant time')
    const found = await results.allInnerTexts()
    const guide = found.findIndex((text) => text.includes('Guide:'))
    for (let step = 0; step < guide; step++) await search.press('ArrowDown')
    await search.press('Enter')
    expect(new URL(page.url()).hash).toMatch(/^#guide-/)
    await page.locator('.guide:visible').waitFor()

    await page.keyboard.press('/')
    for (const [word, english] of [
      ['firmas', 'Webhooks'],
      ['cotización', 'quote'],
    ] as const) {
      await search.fill(word)
      expect((await results.allInnerTexts()).join('\n')).toContain(english)
    }
    await search.fill('qwertzuiop')
    expect(await page.getByText('Nothing found.').isVisible()).toBe(true)
    await search.press('Escape')
    expect(await page.getByText('Nothing found.').isVisible()).toBe(false)
    await page.close()
  })
}
