// Writes pictures of the console: those that documents show to docs/images, the others to .quipu/pictures.
// Run by `pnpm --filter @quipu/api pictures`.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Shown, startConsole } from './console.fixture.ts'
import { addPastPayouts } from './past-payouts.fixture.ts'
import type { Seed } from './seed.fixture.ts'

const root = path.resolve(import.meta.dirname, '../../../../..')
const documents = path.join(root, 'docs/images')
const others = path.join(root, '.quipu/pictures')

/** Each picture: its name, its path below `/console`, and how it is shown. */
const pictures: readonly (readonly [string, (seed: Seed) => string, Shown])[] = [
  ['overview', () => '/', {}],
  ['overview-dark', () => '/', { theme: 'dark', language: 'es' }],
  ['overview-phone', () => '/', { width: 'phone' }],
  ['payouts', () => '/payouts', {}],
  ['payout', ({ hanging }) => `/payouts/${hanging}`, {}],
  ['payout-phone', ({ paid }) => `/payouts/${paid}`, { width: 'phone', theme: 'dark' }],
  ['tenant', ({ tenant }) => `/tenants/${tenant.id}`, {}],
  ['tenant-phone', ({ tenant }) => `/tenants/${tenant.id}`, { width: 'phone' }],
  ['deposit', ({ control }) => `/deposits/${control.review}`, {}],
  ['approvals', () => '/proposals', { theme: 'dark' }],
  ['endpoint', ({ control }) => `/endpoints/${control.deadEndpoint}`, { language: 'es' }],
  ['differences', () => '/differences', {}],
  ['difference-phone', ({ control }) => `/differences/${control.acts.drift}`, { width: 'phone', theme: 'dark' }],
  ['rates', () => '/rates', { theme: 'dark' }],
  ['sweep', ({ production }) => `/sweeps/${production.batch}`, { site: 'production' }],
  ['payouts-phone', () => '/payouts', { width: 'phone' }],
  ['screening', () => '/screening', {}],
  [
    'screening-case-phone',
    ({ control }) => `/screening/${control.screeningCase}`,
    { width: 'phone', theme: 'dark', language: 'es' },
  ],
  ['reports', () => '/reports', {}],
  ['reports-phone', () => '/reports', { width: 'phone', theme: 'dark', language: 'es' }],
  ['balances', () => '/balances', { theme: 'dark', language: 'es' }],
  ['audit', () => '/audit', {}],
  ['sign-in', () => '/', { role: null }],
]

test('writes every picture', async () => {
  mkdirSync(others, { recursive: true })
  const { api, open, seed, stop } = await startConsole()
  await addPastPayouts(api.database.ownerUrl, seed.paid, new Date())
  for (const [name, at, shown] of pictures) {
    const { page, close } = await open(at(seed), shown)
    const file = `console-${name}.png`
    const folder = existsSync(path.join(documents, file)) ? documents : others
    const picture = await page.screenshot({ path: path.join(folder, file) })
    expect(picture.length).toBeGreaterThan(5_000)
    await close()
  }
  await stop()
})
