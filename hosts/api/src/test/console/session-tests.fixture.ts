import { bob } from '@quipu/core'
import { expect, test } from 'vitest'
import { type ConsoleSystem, tokens } from './console.fixture.ts'
import { recordDifference } from './seed-control.fixture.ts'

/** Pages read anew within this time. */
const refreshMs = 8_000

/** Signing in and out, by keyboard alone. */
export function sessionTests(system: () => ConsoleSystem): void {
  test('a person signs in with a token and out again by keyboard', async () => {
    const { page, flaws, close } = await system().open('/', { role: null })
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('not a token')
    await page.keyboard.press('Enter')
    await page.getByText('unknown, revoked or expired').waitFor()
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(tokens.viewer)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await flaws()).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await page.getByText('You have signed out.').waitFor()
    await page.reload()
    await page.getByText('Sign in with the token').waitFor()
    await close()
  })

  test('a session that ends leads to the sign-in, and back to the same page', async () => {
    const { open, sites } = system()
    const { url } = sites.sandbox
    const { page, shows, settle, step, close } = await open('/payouts')
    const context = page.context()
    const csrf = await context.request.get(`${url}/operator/v1/session`, {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    const { csrf_token: token } = (await csrf.json()) as { csrf_token: string }
    await context.request.delete(`${url}/operator/v1/session`, {
      headers: { 'Sec-Fetch-Site': 'same-origin', 'X-CSRF-Token': token },
    })
    await step(refreshMs)
    await shows('The session has ended')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(tokens.viewer)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Payouts' }).waitFor()
    await settle()
    expect(new URL(page.url()).pathname).toBe('/console/payouts')
    await close()
  })

  test('scripts of the page cannot read the cookie, and markup cannot be made of text', async () => {
    const { page, close } = await system().open('/')
    expect(await page.evaluate<string>('document.cookie')).toBe('')
    const refused = "try { document.body.innerHTML = '<b>x</b>'; '' } catch (error) { error.name }"
    expect(await page.evaluate<string>(refused)).toBe('TypeError')
    await close()
  })

  test('the console starts where the browser’s language is no language tag, and names its time zone', async () => {
    const { page, visit, flaws, shows, close } = await system().open('/')
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })`)
    await visit('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await shows(/ GMT-4/)
    expect(await flaws()).toEqual([])
    await visit('/payouts')
    await shows(/\d\d:\d\d:\d\d GMT-4/)
    await close()
  })

  test('language and theme are remembered, and every page speaks Spanish', async () => {
    const { page, visit, flaws, shows, close } = await system().open('/')
    await page.getByLabel('Language').selectOption('es')
    await page.getByLabel('Tema').selectOption('dark')
    await visit('/payouts')
    await shows('En proceso')
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await flaws()).toEqual([])
    await close()
  })

  test('a fault shows within a refresh, and says what to do', async () => {
    const { open, api } = system()
    const { page, step, shows, close } = await open('/')
    await api.operator('POST', '/operator/v1/rates/pause', { reason: 'A source has halted.' })
    await step(refreshMs)
    await shows('quoting is paused')
    await api.operator('POST', '/operator/v1/rates/resume')
    await step(refreshMs)
    await page.getByText('quoting is paused').waitFor({ state: 'detached' })
    expect(await page.getByText('quoting is paused').count()).toBe(0)
    await close()
  })

  test('liquidity that nothing watches is grey, not green', async () => {
    const { page, close } = await system().open('/')
    const tile = page.locator('.tile', { hasText: 'NETWORK_LIQUIDITY_FLOOR_BOB is not set' })
    await tile.getByText('Not watched').waitFor()
    expect(await tile.getAttribute('class')).toBe('tile is-quiet')
    await close()
  })

  test('a difference that a check finds shows within a refresh', async () => {
    const { api, open } = system()
    const { shows, step, follow, page, close } = await open('/differences?check=liquidity')
    await shows('No difference matches')
    await recordDifference(api, {
      check: 'liquidity',
      kind: 'below_floor',
      subject: 'network',
      expected: bob(5000000n),
      found: bob(123456n),
      detail: 'the balance is below its floor',
    })
    await step(refreshMs)
    await shows('the balance is below its floor')
    expect(await page.locator('tbody tr').count()).toBe(1)
    await follow('/')
    const figure = async (): Promise<number> => {
      await step(refreshMs)
      return page.getByText('1,234.56 BOB').count()
    }
    await expect.poll(figure, { interval: 500 }).toBe(1)
    await shows('below the floor of 50,000.00 BOB')
    await close()
  })

  test('the drift of a wallet shows among what makes money safe', async () => {
    const { page, step, close } = await system().open('/')
    const drift = async (): Promise<number> => {
      await step(refreshMs)
      return page.getByText('0.50 USDT').count()
    }
    await expect.poll(drift, { interval: 500 }).toBe(1)
    await close()
  })
}
