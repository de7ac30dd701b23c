import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { license, makeDocument, type OpenApiDocument } from './document.ts'
import { alertPaths } from '../operator-alert/alert.ts'
import { activityPaths } from '../activity/activity-paths.ts'
import { auditPaths } from '../audit/audit-paths.ts'
import { differencePaths } from '../difference/difference.ts'
import { faultPaths } from '../fault/fault-paths.ts'
import { keyUsePaths } from '../key-ring/key-use-paths.ts'
import { operatorEventPaths } from '../event/operator-event.ts'
import { operatorCodes } from '../explanation/code-explanations.ts'
import { operatorFaucetSendPaths } from '../faucet/operator-faucet-send.ts'
import { operatorWalletPaths } from '../ledger/operator-wallet.ts'
import { operatorQuotePaths } from '../quote/operator-quote-paths.ts'
import { searchPaths } from '../search/search.ts'
import { operatorWebhookPaths } from '../webhook/operator-webhook-paths.ts'
import { operatorPayoutPaths } from '../payout/operator-payout-paths.ts'
import { keyPaths } from '../api-key/operator-api-key.ts'
import { payoutDecisionPaths } from '../payout/payout-decision-paths.ts'
import { payoutStopPaths } from '../payout/payout-stop.ts'
import { operatorTokenPaths } from '../operator-token/operator-token.ts'
import { processPaths } from '../process/process-paths.ts'
import { proposalPaths } from '../proposal/proposal-paths.ts'
import { reportPaths } from '../report/report-paths.ts'
import { reconciliationPaths } from '../reconciliation/reconciliation-paths.ts'
import { networkPaths } from '../network/network.ts'
import { ratePaths } from '../rate/rate-paths.ts'
import { reviewPaths } from '../deposit/operator-deposit-paths.ts'
import { endpointControlPaths } from '../webhook/endpoint-control.ts'
import { healthPaths, metricsPaths } from '../service/service-paths.ts'
import { tenantStatementPaths } from '../statement/statement.ts'
import { casePaths } from '../case/case-paths.ts'
import { sessionPaths } from '../console-session/console-session.ts'
import { sweepPaths } from '../sweep/sweep-paths.ts'
import { screeningPaths } from '../screening/screening.ts'
import { treasuryPaths } from '../treasury/treasury.ts'
import { tenantPaths } from '../tenant/tenant-paths.ts'

const tags = [
  { name: 'Tenants', description: 'Companies that pay, and their pricing.' },
  { name: 'API keys', description: 'Keys that tenants authenticate with.' },
  { name: 'Activity', description: 'What happens in the whole service, and what waits.' },
  { name: 'Search', description: 'Any record by its id, of all tenants.' },
  { name: 'Found secrets', description: 'Whose an API key or operator’s token is that was found somewhere.' },
  { name: 'Quotes', description: 'How payouts were priced.' },
  { name: 'Events', description: 'Events of all tenants.' },
  { name: 'Wallets', description: 'Balances of all tenants.' },
  {
    name: 'Webhooks',
    description: 'Webhook endpoints of all tenants: their state, deliveries, pause, resume, one more attempt.',
  },
  { name: 'Faucet sends', description: 'Test tokens that the sandbox has sent.' },
  { name: 'Deposits', description: 'Deposits of all tenants, and the reviews that wait for a decision.' },
  {
    name: 'Payouts',
    description:
      'Payouts of all tenants, each with its history. Those that stay in `processing`: query the network, cancel where it can (`GET /operator/v1/network`), settle by evidence.',
  },
  { name: 'Proposals', description: 'Money that moves by hand: proposed by one operator, approved by another.' },
  { name: 'Differences', description: 'What the checks of ledger, network and chain have found to differ.' },
  { name: 'Screening', description: 'Senders, merchants and tenants that are on a list, and outages of screening.' },
  { name: 'Faults', description: 'What does not work now.' },
  { name: 'Alerts', description: 'What reaches the operator’s people.' },
  {
    name: 'Reconciliation',
    description: 'Comparisons of payouts with the QR network’s statement, and of deposits with the chain.',
  },
  { name: 'Reports', description: 'What the service earned, paid, owes and has.' },
  { name: 'Treasury', description: 'Money that the operator moved outside of the service.' },
  { name: 'Sweeps', description: 'Transfers of top-up addresses’ balances to the treasury, signed offline.' },
  { name: 'Operator tokens', description: 'Who operates, and with which role.' },
  { name: 'Cases', description: 'Notes about deposits, payouts and differences, and who works on them.' },
  { name: 'Sessions', description: 'Who is signed in to the console.' },
  { name: 'Second factors', description: 'Codes by time, beside the operator token, to sign in to the console.' },
  { name: 'Processes', description: 'Which processes of API and worker run.' },
  { name: 'Rates', description: 'The rate that quotes use, and whether quotes are given.' },
  { name: 'QR network', description: 'At which network payouts are ordered, what it can prove, and what halts.' },
  { name: 'Audit log', description: 'What operators did, and what was refused.' },
  { name: 'Service', description: 'About the service itself.' },
]

const paths = {
  ...tenantPaths,
  ...tenantStatementPaths,
  ...keyPaths,
  ...activityPaths,
  ...operatorPayoutPaths,
  ...searchPaths,
  ...operatorQuotePaths,
  ...operatorWalletPaths,
  ...operatorWebhookPaths,
  ...operatorEventPaths,
  ...operatorFaucetSendPaths,
  ...reviewPaths,
  ...payoutDecisionPaths,
  ...payoutStopPaths,
  ...proposalPaths,
  ...differencePaths,
  ...screeningPaths,
  ...faultPaths,
  ...alertPaths,
  ...reconciliationPaths,
  ...reportPaths,
  ...treasuryPaths,
  ...sweepPaths,
  ...endpointControlPaths,
  ...operatorTokenPaths,
  ...sessionPaths,
  ...casePaths,
  ...processPaths,
  ...ratePaths,
  ...networkPaths,
  ...auditPaths,
  ...keyUsePaths,
  ...healthPaths,
  ...metricsPaths,
}

const pathsWith = (hasTag: (tag: string) => boolean): ZodOpenApiPathsObject =>
  Object.fromEntries(
    Object.entries<ZodOpenApiPathItemObject>(paths).filter(([, { get, post, put, patch, delete: remove }]) =>
      [get, post, put, patch, remove].some((operation) => operation?.tags?.some(hasTag)),
    ),
  )

/** The OpenAPI 3.1 document of the operator's API. */
export const operatorOpenApi = ({
  serverUrl = '/',
  hasTag,
}: {
  /** The base URL of the paths, without `/operator/v1`. Default: the host that serves the document. */
  readonly serverUrl?: string
  /** Leaves out the paths without such an operation: a whole document takes tens of milliseconds. */
  readonly hasTag?: (tag: string) => boolean
} = {}): OpenApiDocument =>
  makeDocument({
    openapi: '3.1.0',
    info: {
      title: 'Quipu operator',
      version: '1.0.0',
      license,
      description:
        'Onboards tenants, adjusts wallets and resolves deposits in review. Money that moves by hand needs two people: one proposes, another one approves. Conventions are those of the public API. A `viewer` reads; an `operator` also writes; an `admin` also sets pricing, and issues keys that can pay and operators’ tokens. An `auditor` reads what a `viewer` does, the audit log and the operators’ tokens. The audit log records every change with its actor, failed logins, and requests that a role does not allow. Browsers find a console at `/console`.',
    },
    servers: [{ url: serverUrl }],
    tags,
    paths: hasTag ? pathsWith(hasTag) : paths,
    components: {
      securitySchemes: {
        OperatorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator token, which belongs to one person.',
        },
      },
    },
    'x-codes': operatorCodes(),
  })
