import { matchPath } from '../route/router.ts'
import { generalTexts } from '../text/general-texts.ts'
import { Overview } from './overview/overview.tsx'
import { overviewTexts } from './overview/overview-texts.ts'
import { Missing } from './missing.tsx'
import type { Page } from './page.ts'
import { Payout } from './payout/payout.tsx'
import { payoutTexts } from './payout/payout-texts.ts'
import { Payouts } from './payout/payouts.tsx'
import { ScreeningCase } from './screening/screening-case.tsx'
import { screeningTexts } from './screening/screening-texts.ts'
import { ScreeningCases } from './screening/screening.tsx'
import { Search } from './search/search.tsx'
import { searchTexts } from './search/search-texts.ts'
import { Access } from './access/access.tsx'
import { accessTexts } from './access/access-texts.ts'
import { Audit } from './audit/audit.tsx'
import { auditTexts } from './audit/audit-texts.ts'
import { Network } from './network/network.tsx'
import { networkTexts } from './network/network-texts.ts'
import { Deposit } from './deposit/deposit.tsx'
import { depositTexts, faucetTexts } from './deposit/deposit-texts.ts'
import { Deposits } from './deposit/deposits.tsx'
import { FaucetSend, FaucetSends } from './deposit/faucet-sends.tsx'
import { Difference } from './difference/difference.tsx'
import { differenceTexts } from './difference/difference-texts.ts'
import { Differences } from './difference/differences.tsx'
import { Proposal } from './proposal/proposal.tsx'
import { proposalTexts } from './proposal/proposal-texts.ts'
import { Proposals } from './proposal/proposals.tsx'
import { WaitingCount } from './proposal/waiting.tsx'
import { rateTexts } from './rate/rate-texts.ts'
import { Rates } from './rate/rates.tsx'
import { Run } from './reconciliation/run.tsx'
import { runTexts } from './reconciliation/run-texts.ts'
import { Runs } from './reconciliation/runs.tsx'
import { Balances } from './report/balances.tsx'
import { reportTexts } from './report/report-texts.ts'
import { Reports } from './report/reports.tsx'
import { SweepAddresses } from './sweep/addresses.tsx'
import { Sweep } from './sweep/sweep.tsx'
import { sweepTexts } from './sweep/sweep-texts.ts'
import { Sweeps } from './sweep/sweeps.tsx'
import { Statement } from './tenant/statement.tsx'
import { Tenant } from './tenant/tenant.tsx'
import { statementTexts, tenantTexts } from './tenant/tenant-texts.ts'
import { Tenants } from './tenant/tenants.tsx'
import { Deliveries } from './webhook/deliveries.tsx'
import { Delivery } from './webhook/delivery.tsx'
import { Endpoint } from './webhook/endpoint.tsx'
import { Endpoints } from './webhook/endpoints.tsx'
import { Event, Events } from './webhook/events.tsx'
import { deliveryTexts, endpointTexts, eventTexts } from './webhook/webhook-texts.ts'

/** Every page, in the order of the navigation. */
export const pages: readonly Page[] = [
  { path: '/', title: overviewTexts.title, component: Overview, group: 'watch' },
  { path: '/search', title: searchTexts.title, component: Search, group: 'watch' },
  { path: '/payouts', title: payoutTexts.title, component: Payouts, group: 'money' },
  { path: '/payouts/:id', title: payoutTexts.one, component: Payout, within: '/payouts' },
  { path: '/deposits', title: depositTexts.title, component: Deposits, group: 'money' },
  { path: '/deposits/:id', title: depositTexts.one, component: Deposit, within: '/deposits' },
  { path: '/faucet-sends', title: faucetTexts.title, component: FaucetSends, group: 'money' },
  { path: '/faucet-sends/:id', title: faucetTexts.one, component: FaucetSend, within: '/faucet-sends' },
  { path: '/sweeps', title: sweepTexts.title, component: Sweeps, group: 'money' },
  { path: '/sweeps/addresses', title: sweepTexts.addresses, component: SweepAddresses, within: '/sweeps' },
  { path: '/sweeps/:id', title: sweepTexts.one, component: Sweep, within: '/sweeps' },
  { path: '/rates', title: rateTexts.title, component: Rates, group: 'money' },
  { path: '/reports', title: reportTexts.title, component: Reports, group: 'reports' },
  { path: '/balances', title: reportTexts.balances, component: Balances, group: 'reports' },
  { path: '/tenants', title: tenantTexts.title, component: Tenants, group: 'tenants' },
  { path: '/tenants/:id', title: tenantTexts.one, component: Tenant, within: '/tenants' },
  { path: '/tenants/:id/statements/:period', title: statementTexts.title, component: Statement, within: '/tenants' },
  { path: '/endpoints', title: endpointTexts.title, component: Endpoints, group: 'tenants' },
  { path: '/endpoints/:id', title: endpointTexts.one, component: Endpoint, within: '/endpoints' },
  { path: '/deliveries', title: deliveryTexts.title, component: Deliveries, group: 'tenants' },
  { path: '/deliveries/:id', title: deliveryTexts.one, component: Delivery, within: '/deliveries' },
  { path: '/events', title: eventTexts.title, component: Events, group: 'tenants' },
  { path: '/events/:id', title: eventTexts.one, component: Event, within: '/events' },
  { path: '/proposals', title: proposalTexts.title, component: Proposals, group: 'control', count: WaitingCount },
  { path: '/proposals/:id', title: proposalTexts.one, component: Proposal, within: '/proposals' },
  { path: '/differences', title: differenceTexts.title, component: Differences, group: 'control' },
  { path: '/differences/:id', title: differenceTexts.one, component: Difference, within: '/differences' },
  { path: '/screening', title: screeningTexts.title, component: ScreeningCases, group: 'control' },
  { path: '/screening/:id', title: screeningTexts.one, component: ScreeningCase, within: '/screening' },
  { path: '/reconciliation', title: runTexts.title, component: Runs, group: 'control' },
  { path: '/reconciliation/:id', title: runTexts.one, component: Run, within: '/reconciliation' },
  { path: '/audit', title: auditTexts.title, component: Audit, group: 'control', right: 'auditor' },
  { path: '/network', title: networkTexts.title, component: Network, group: 'control' },
  { path: '/access', title: accessTexts.title, component: Access, group: 'control' },
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
