import { startBrowser } from '@quipu/console/testing'
import type { Browser, BrowserContext } from 'playwright-core'
import { type PostgresApi, postgresApi } from '../harness/postgres-api.fixture.ts'
import { base64Token, operatorToken } from '../harness/api.fixture.ts'
import { type Opened, openPage } from './opened-page.fixture.ts'
import { type Production, startProduction } from './production.fixture.ts'
import { controlEnv } from './seed-control.fixture.ts'
import { type Seed, seedConsole } from './seed.fixture.ts'
import { type Site, type SiteName, type Variant, viewports } from './site.fixture.ts'

/** The tokens of one person of each role, and of a second admin. */
export const tokens = {
  admin: operatorToken,
  'second admin': base64Token,
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
  readonly site?: SiteName
}

/** A page for a test that leaves the sign-in, the storage and the clock as they are: closing it gives it back. */
export type Lent = Omit<Opened, 'step'>

/** The APIs with records to show, and one browser, for every test of the console. */
export type ConsoleSystem = {
  readonly api: PostgresApi
  readonly production: Production
  readonly sites: Readonly<Record<SiteName, Site>>
  readonly seed: Seed
  /** Opens a path below `/console` in a browser profile of its own. */
  open(path: string, shown?: Shown): Promise<Opened>
  /** A page that tests share: each follows a link to its own. */
  shared(shown: Shown): Promise<Opened>
  /** Opens a path in a page that another test has closed, where one is shown so: a new profile takes 0.2 s of CPU. */
  lend(path: string, shown: Shown): Promise<Lent>
  /** Closes the pages that tests share or were lent: an open page goes on reading. */
  closeTabs(): Promise<void>
  stop(): Promise<void>
}

export async function startConsole(): Promise<ConsoleSystem> {
  const [api, production, browser] = await Promise.all([
    postgresApi({ RATE_LIMIT_FAILED_KEYS: 'off', ...controlEnv }),
    startProduction(),
    startBrowser(),
  ])
  const seed = { ...(await seedConsole(api)), production: production.seed }
  const sites = sitesOf(api, production)
  const open: ConsoleSystem['open'] = async (path, shown = {}) => {
    const site = sites[shown.site ?? 'sandbox']
    const profile = await signedIn(await profileOf(browser, shown), site.url, shown.role)
    return openPage(profile, site, path, variantOf(shown))
  }
  return {
    api,
    production,
    sites,
    seed,
    open,
    ...tabsOf(open),
    stop: async () => {
      await browser.close()
      await Promise.all([api.stop(), production.api.stop()])
    },
  }
}

function tabsOf(open: ConsoleSystem['open']): Pick<ConsoleSystem, 'shared' | 'lend' | 'closeTabs'> {
  const shared = new Map<string, Opened>()
  const idle = new Map<string, Opened[]>()
  return {
    shared: async (shown) => {
      const key = JSON.stringify(shown)
      const tab = shared.get(key) ?? (await open('/nowhere', shown))
      shared.set(key, tab)
      return tab
    },
    lend: async (path, shown) => {
      const key = JSON.stringify(shown)
      const tabs = idle.get(key) ?? []
      idle.set(key, tabs)
      const known = tabs.pop()
      await known?.visit(path)
      const tab = known ?? (await open(path, shown))
      const giveBack = async (): Promise<void> => {
        await tab.page.unrouteAll()
        tab.forget()
        tabs.push(tab)
      }
      return Object.assign({}, tab, { close: giveBack })
    },
    closeTabs: async () => {
      const tabs = [...shared.values(), ...[...idle.values()].flat()]
      shared.clear()
      idle.clear()
      await Promise.all(tabs.map((tab) => tab.close()))
    },
  }
}

const sitesOf = (sandbox: PostgresApi, { api }: Production): ConsoleSystem['sites'] => ({
  sandbox: { url: sandbox.api.operatorUrl, calls: new Set() },
  production: { url: api.operatorUrl, calls: new Set() },
})

const variantOf = ({ width = 'desktop', theme = 'light' }: Shown): Variant => ({ width, theme })

async function profileOf(browser: Browser, shown: Shown): Promise<BrowserContext> {
  const { width, theme } = variantOf(shown)
  const profile = await browser.newContext({
    viewport: viewports[width],
    colorScheme: theme,
    locale: shown.language === 'es' ? 'es-BO' : 'en-GB',
    timezoneId: 'America/La_Paz',
    reducedMotion: 'reduce',
  })
  profile.setDefaultTimeout(180_000) // Ends what hangs, and names it.
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
