import { matchPath } from '../route/router.ts'
import { generalTexts } from '../text/general-texts.ts'
import { controlPages } from './control-pages.ts'
import { depositPages } from './deposit/deposit-pages.ts'
import { differencePages } from './difference/difference-pages.ts'
import { Overview } from './overview/overview.tsx'
import { overviewTexts } from './overview/overview-texts.ts'
import { Missing } from './missing.tsx'
import type { Page } from './page.ts'
import { Payout } from './payout/payout.tsx'
import { payoutTexts } from './payout/payout-texts.ts'
import { Payouts } from './payout/payouts.tsx'
import { proposalPages } from './proposal/proposal-pages.ts'
import { ratePages } from './rate/rate-pages.ts'
import { reportPages } from './report/report-pages.ts'
import { runPages } from './reconciliation/run-pages.ts'
import { ScreeningCase } from './screening/screening-case.tsx'
import { screeningTexts } from './screening/screening-texts.ts'
import { ScreeningCases } from './screening/screening.tsx'
import { Search } from './search/search.tsx'
import { searchTexts } from './search/search-texts.ts'
import { sweepPages } from './sweep/sweep-pages.ts'
import { tenantPages } from './tenant/tenant-pages.ts'
import { webhookPages } from './webhook/webhook-pages.ts'

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [
  { path: '/', title: overviewTexts.title, component: Overview, group: 'watch' },
  { path: '/search', title: searchTexts.title, component: Search, group: 'watch' },
  { path: '/payouts', title: payoutTexts.title, component: Payouts, group: 'money' },
  { path: '/payouts/:id', title: payoutTexts.one, component: Payout, within: '/payouts' },
  ...depositPages,
  ...sweepPages,
  ...ratePages,
  ...reportPages,
  ...tenantPages,
  ...webhookPages,
  ...proposalPages,
  ...differencePages,
  { path: '/screening', title: screeningTexts.title, component: ScreeningCases, group: 'control' },
  { path: '/screening/:id', title: screeningTexts.one, component: ScreeningCase, within: '/screening' },
  ...runPages,
  ...controlPages,
]

const missing: Page = { path: '', title: generalTexts.missing, component: Missing }

/** The page of a path, with the parts of the path that it names. */
export function findPage(path: string): { readonly page: Page; readonly parameters: Readonly<Record<string, string>> } {
  for (const page of pages) {
    const parameters = matchPath(page.path, path)
    if (parameters) return { page, parameters }
  }
  return { page: missing, parameters: {} }
}
