import { startBrowser } from '@quipu/console/testing'
import type { Browser, BrowserContext } from 'playwright-core'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import { operatorToken } from '../harness/api.fixture.ts'
import { type Opened, openPage, type Variant, viewports } from './opened-page.fixture.ts'
import { controlEnv } from './seed-control.fixture.ts'
import { type Seed, seedConsole } from './seed.fixture.ts'

/** The tokens of one person of each role. */
export const tokens = {
  admin: operatorToken,
  operator: 'operators',
  viewer: 'viewers',
  auditor: 'auditors',
} as const
export type RoleName = keyof typeof tokens

/** How a page is shown. */
export type Shown = Partial<Variant> & {
  readonly language?: 'en' | 'es'
  /** Whose token signs in; null: nobody signs in. */
  readonly role?: RoleName | null
}

/** One API over PostgreSQL with records to show, and one browser, for every test of the console. */
export type ConsoleSystem = {
  readonly api: PostgresApi
  readonly url: string
  readonly seed: Seed
  /** Opens a path below `/console` in a browser profile of its own. */
  open(path: string, shown?: Shown): Promise<Opened>
  /** A profile of its own, signed in. */
  profile(shown?: Shown): Promise<BrowserContext>
  stop(): Promise<void>
}

export async function startConsole(): Promise<ConsoleSystem> {
  const [api, browser] = await Promise.all([
    postgresApi({ RATE_LIMIT_FAILED_KEYS: 'off', ...controlEnv }),
    startBrowser(),
  ])
  const seed = await seedConsole(api)
  const url = api.api.operatorUrl
  const profile: ConsoleSystem['profile'] = async (shown = {}) =>
    signedIn(await profileOf(browser, shown), url, shown.role)
  return {
    ...{ api, url, seed, profile },
    open: async (path, shown) => openPage(await profile(shown), url, path),
    stop: async () => {
      await browser.close()
      await api.stop()
    },
  }
}

async function profileOf(
  browser: Browser,
  { width = 'desktop', theme = 'light', language = 'en' }: Shown,
): Promise<BrowserContext> {
  const profile = await browser.newContext({
    viewport: viewports[width],
    colorScheme: theme,
    locale: language === 'es' ? 'es-BO' : 'en-GB',
    timezoneId: 'America/La_Paz',
    reducedMotion: 'reduce',
  })
  profile.setDefaultTimeout(15_000)
  return profile
}

async function signedIn(
  profile: BrowserContext,
  url: string,
  role: RoleName | null = 'admin',
): Promise<BrowserContext> {
  if (role === null) return profile
  const reply = await profile.request.post(`${url}/operator/v1/session`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    data: { token: tokens[role] },
  })
  if (reply.status() !== 201) throw new Error(`the sign-in got ${reply.status()}`)
  return profile
}
