import { expect, test } from 'vitest'
import { chainEndpoints, operationsOf, served, viewEndpoints } from './document.fixture.ts'
import { operatorOpenApi } from './operator.ts'

const posts = (path: string, ...verbs: readonly string[]): readonly string[] =>
  verbs.map((verb) => `POST ${path}/${verb}`)

test('the operator document has every endpoint of operators, each with the operator token only', () => {
  const operations = operationsOf(served(operatorOpenApi())).filter(([at]) => at.includes('/operator/'))
  expect(operations.map(([at]) => at).toSorted()).toEqual(
    [
      'DELETE /operator/v1/api-keys/{id}',
      'GET /operator/v1/alerts',
      'GET /operator/v1/alerts/digest',
      'GET /operator/v1/audit-log',
      'GET /operator/v1/audit-log/verification',
      'GET /operator/v1/backlog',
      'GET /operator/v1/deposits',
      'GET /operator/v1/deposits/{id}',
      'GET /operator/v1/differences',
      'GET /operator/v1/differences/{id}',
      ...viewEndpoints.events,
      'GET /operator/v1/faults',
      'GET /operator/v1/key-use',
      'GET /operator/v1/me',
      'GET /operator/v1/network',
      'GET /operator/v1/operator-tokens',
      'GET /operator/v1/payout-activity',
      'GET /operator/v1/payouts',
      'GET /operator/v1/payouts/stop',
      'GET /operator/v1/payouts/{id}',
      'GET /operator/v1/processes',
      'GET /operator/v1/proposals',
      'GET /operator/v1/proposals/{id}',
      'GET /operator/v1/quotes/{id}',
      'GET /operator/v1/rates',
      ...chainEndpoints.get,
      'GET /operator/v1/cases',
      'GET /operator/v1/cases/{id}',
      ...posts('/operator/v1/cases/{id}', 'notes', 'release', 'take'),
      'GET /operator/v1/second-factor',
      'GET /operator/v1/sessions',
      'POST /operator/v1/people/{person}/second-factor/remove',
      'POST /operator/v1/second-factor',
      ...posts('/operator/v1/second-factor', 'confirm'),
      ...posts('/operator/v1/sessions/{id}', 'end'),
      'GET /operator/v1/tenants',
      'GET /operator/v1/tenants/{id}',
      'GET /operator/v1/tenants/{id}/api-keys',
      'GET /operator/v1/tenants/{id}/statements/{period}',
      'GET /operator/v1/tenants/{id}/top-up-addresses',
      'GET /operator/v1/tenants/{id}/wallet-transactions',
      'GET /operator/v1/transactions',
      'GET /operator/v1/treasury',
      ...viewEndpoints.wallets,
      'PATCH /operator/v1/api-keys/{id}',
      'PATCH /operator/v1/tenants/{id}',
      'POST /operator/v1/alerts/test',
      ...posts('/operator/v1/api-keys/{id}', 'rotate'),
      'POST /operator/v1/deposits/{id}/close',
      'POST /operator/v1/deposits/{id}/credit',
      'POST /operator/v1/deposits/{id}/return',
      'POST /operator/v1/deposits/{id}/screen',
      'POST /operator/v1/differences/{id}/close',
      'POST /operator/v1/found-secrets',
      ...posts('/operator/v1/network', 'confirm'),
      'POST /operator/v1/operator-tokens',
      'POST /operator/v1/operator-tokens/{id}/revoke',
      ...posts('/operator/v1/payouts', 'start', 'stop'),
      ...posts('/operator/v1/payouts/{id}', 'cancel', 'query', 'refund', 'settle'),
      ...posts('/operator/v1/proposals/{id}', 'approve', 'execute', 'reject', 'withdraw'),
      ...posts('/operator/v1/rates', 'pause', 'resume'),
      ...chainEndpoints.post,
      'POST /operator/v1/tenants',
      ...posts('/operator/v1/tenants/{id}', 'adjustments', 'api-keys', 'deposits/close'),
      ...posts('/operator/v1/tenants/{id}', 'erase-contact', 'resume', 'suspend'),
      'POST /operator/v1/tenants/{id}/top-up-addresses/rotate',
      'POST /operator/v1/treasury',
      'POST /operator/v1/treasury/{id}/reverse',
      ...posts('/operator/v1/webhook-endpoints/{id}/deliveries/{delivery_id}', 'resend'),
      ...posts('/operator/v1/webhook-endpoints/{id}', 'pause', 'resume'),
    ].toSorted(),
  )
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
