import { expect, test } from 'vitest'
import { operationsOf, served } from './document.fixture.ts'
import { operatorOpenApi } from './operator.ts'

/** The operations of operators below `/operator/v1`, by the noun that begins their path. */
const expected: Readonly<Record<string, readonly string[]>> = {
  alerts: ['GET', 'GET /digest', 'POST /test'],
  'api-keys': ['DELETE /{id}', 'PATCH /{id}', 'POST /{id}/rotate'],
  'audit-log': ['GET', 'GET /verification'],
  backlog: ['GET'],
  cases: ['GET', 'GET /{id}', 'POST /{id}/notes', 'POST /{id}/release', 'POST /{id}/take'],
  deposits: ['GET', 'GET /{id}', 'POST /{id}/close', 'POST /{id}/credit', 'POST /{id}/return', 'POST /{id}/screen'],
  differences: ['GET', 'GET /{id}', 'POST /{id}/close'],
  events: ['GET', 'GET /{id}'],
  'faucet-sends': ['GET', 'GET /{id}'],
  faults: ['GET'],
  'found-secrets': ['POST'],
  'key-use': ['GET'],
  me: ['GET'],
  network: ['GET', 'POST /confirm'],
  'operator-tokens': ['GET', 'POST', 'POST /{id}/revoke'],
  'payout-activity': ['GET'],
  payouts: [
    'GET',
    'GET /stop',
    'GET /{id}',
    'POST /start',
    'POST /stop',
    'POST /{id}/cancel',
    'POST /{id}/query',
    'POST /{id}/refund',
    'POST /{id}/settle',
  ],
  people: ['POST /{person}/second-factor/remove'],
  processes: ['GET'],
  proposals: [
    'GET',
    'GET /{id}',
    'POST /{id}/approve',
    'POST /{id}/execute',
    'POST /{id}/reject',
    'POST /{id}/withdraw',
  ],
  quotes: ['GET /{id}'],
  rates: ['GET', 'POST /pause', 'POST /resume'],
  'reconciliation-runs': ['GET', 'GET /{id}', 'POST'],
  reports: ['GET /exposure', 'GET /liquidity', 'GET /revenue', 'GET /trial-balance', 'GET /volume'],
  'screening-cases': ['GET', 'GET /{id}', 'POST /{id}/decide'],
  search: ['GET'],
  'second-factor': ['GET', 'POST', 'POST /confirm'],
  sessions: ['GET', 'POST /{id}/end'],
  sweep: [
    'GET /addresses',
    'GET /batches',
    'GET /batches/{id}',
    'GET /batches/{id}/unsigned',
    'POST /batches',
    'POST /batches/{id}/signed',
  ],
  tenants: [
    'GET',
    'GET /{id}',
    'GET /{id}/api-keys',
    'GET /{id}/statements/{period}',
    'GET /{id}/top-up-addresses',
    'GET /{id}/wallet-transactions',
    'PATCH /{id}',
    'POST',
    'POST /{id}/adjustments',
    'POST /{id}/api-keys',
    'POST /{id}/deposits/close',
    'POST /{id}/erase-contact',
    'POST /{id}/resume',
    'POST /{id}/suspend',
    'POST /{id}/top-up-addresses/rotate',
  ],
  transactions: ['GET'],
  treasury: ['GET', 'POST', 'POST /{id}/reverse'],
  wallets: ['GET'],
  'webhook-deliveries': ['GET', 'GET /{id}'],
  'webhook-endpoints': [
    'GET',
    'GET /{id}',
    'POST /{id}/deliveries/{delivery_id}/resend',
    'POST /{id}/pause',
    'POST /{id}/resume',
  ],
}

test('the operator document has every endpoint of operators, each with the operator token only', () => {
  const operations = operationsOf(served(operatorOpenApi())).filter(([at]) => at.includes('/operator/'))
  const written = Object.entries(expected).flatMap(([noun, each]) =>
    each.map((at) => at.replace(/^\w+ ?/, (method) => `${method.trim()} /operator/v1/${noun}`)),
  )
  expect(operations.map(([at]) => at).toSorted()).toEqual(written.toSorted())
  for (const [, { security }] of operations) expect(security).toEqual([{ OperatorToken: [] }])
})

test('the schemas of the operators’ document have the names that generated types take from them', () => {
  const names = Object.keys(operatorOpenApi().components?.schemas ?? {}).toSorted()
  expect(names.join(' ')).toBe(
    [
      'AdjustmentRequest AlertDigest AlertGatewayAnswer AlertList ApiKeyPatch ApiKeyRequest AuditEntry AuditPage',
      'AuditVerification Backlog BalanceLine BobMoney CaseNoteRequest CaseWork CloseDepositRequest CloseDepositsRequest ConsoleSessionPage',
      'ConsoleSessionRecord CreditDepositRequest DailyUse',
      'Delivery DeliveryAttempt Difference DifferenceAmount DifferenceClosureRequest',
      'DifferencePage EndpointPauseRequest EndpointResumptionRequest EndpointState ErrorBody',
      'EvidenceRequest ExplainedTransaction ExplainedTransfer ExposureReport Faults FoundRecord FoundRecords FoundSecretRequest Health',
      'ImportSweepRequest IssuedApiKey',
      'KeyUse LiquidityReport Merchant Movement MovementPage MovementRequest NetworkCall NetworkCapabilities NetworkConfirmationRequest OpenPayout OperatorDelivery OperatorDeliveryPage',
      'OperatorDeposit OperatorDepositDetail OperatorDepositPage OperatorEndpoint OperatorEndpointPage',
      'OperatorError OperatorEvent OperatorEventPage OperatorFaucetSend',
      'OperatorFaucetSendPage OperatorPayout OperatorPayoutPage OperatorQuote OperatorToken',
      'OperatorTokenPage OperatorTokenRequest OperatorTopUpAddress OperatorTopUpAddressList OperatorWallet',
      'OperatorWalletPage Payout PayoutActivity PayoutError PayoutHistory PayoutPosting PayoutStop PayoutStopRequest',
      'PlannedSweep Processes Proposal ProposalDetails ProposalPage QrNetwork QueriedPayout Quote Quoting',
      'QuotingPauseRequest Rates Readiness ReconciliationRequest ReconciliationRun',
      'ReconciliationRunPage RefundRequest Resolution ResumedEndpoint ResumptionRequest ReturnDepositRequest RevenueReport RevenueRow ReversalRequest RotateApiKeyRequest',
      'ScreeningCase ScreeningCasePage ScreeningDecisionRequest SecondFactor',
      'SecondFactorEnrolment SentEvent',
      'SettlementRequest Statement StatementRow SuspensionRequest SweepAddress SweepAddressPage SweepBatch SweepBatchPage',
      'SweepBatchSummary SweepFile SweepImport SweepRequest SweepTransfer TakenCase TakenCasePage Tenant TenantApiKey',
      'TenantApiKeyPage TenantPage TenantPatch TenantRequest TimelineEntry TrialBalance UnsignedSweep',
      'UsdtMoney VolumeReport VolumeRow WalletTransaction WalletTransactionPage',
    ].join(' '),
  )
})

test('the period of the payouts’ activity is a day by default', () => {
  const operation = operatorOpenApi().paths?.['/operator/v1/payout-activity']?.get
  expect(operation?.parameters).toMatchObject([
    { in: 'query', name: 'hours', schema: { type: 'integer', minimum: 1, maximum: 168, default: 24, examples: [24] } },
  ])
})
