import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOwnApiKeyList, parseRotateOwnKey } from '../api-key/api-key.ts'
import { parseCaseNote } from '../case/case.ts'
import { parseCode } from '../console-session/console-session.ts'
import { parseClockAdvance, parseMockDeposit } from '../mock/mock.ts'
import { parseOperatorTokenRequest } from '../operator-token/operator-token.ts'
import { parseAdjustment } from '../proposal/adjustment.ts'
import { parseRefund } from '../proposal/refund.ts'
import { parseQuotingPause } from '../rate/rate.ts'
import { parseScreeningDecision } from '../screening/screening.ts'
import { parseFoundSecret } from '../search/search.ts'
import { parseReversal } from '../treasury/treasury.ts'
import { parseEndpointPause, parseEndpointResumption } from '../webhook/endpoint-control.ts'
import { parseDeliveryList, replayRequest } from '../webhook/delivery.ts'
import { parseDepositList } from '../deposit/deposit.ts'
import { parseNoBody } from '../json/empty.ts'
import { parsePayoutStop } from '../payout/payout-stop.ts'
import { parseEventList } from '../event/event-list.ts'
import { parseFaucetRequest } from '../faucet/faucet.ts'
import { parseApiKeyPatch, parseApiKeyRequest, parseRotateKey } from '../api-key/operator-api-key.ts'
import {
  parseCloseDeposit,
  parseCreditDeposit,
  parseOperatorDepositList,
  parseReturnDeposit,
} from '../deposit/operator-deposit.ts'
import { parseFormatted } from '../list/list-format.ts'
import { parseAuditList } from '../audit/audit-log.ts'
import { parseDifferenceClosure, parseDifferenceList } from '../difference/difference.ts'
import { parseProposalList, parseRejection } from '../proposal/proposal.ts'
import {
  parseResumption,
  parseSuspension,
  parseTenantList,
  parseTenantPatch,
  parseTenantRequest,
} from '../tenant/tenant.ts'
import { parseOperatorEventList } from '../event/operator-event.ts'
import { parseOperatorFaucetSendList } from '../faucet/operator-faucet-send.ts'
import { parseOperatorEndpointList } from '../webhook/operator-endpoint.ts'
import { parseOperatorWalletList } from '../ledger/operator-wallet.ts'
import { parseOperatorPayoutList } from '../payout/operator-payout.ts'
import { parse, type Parsed } from '../json/parsed.ts'
import { parsePayoutList } from '../payout/payout-list.ts'
import { parsePayoutRequest } from '../payout/payout-request.ts'
import { parseQuoteRequest } from '../quote/quote.ts'
import { parseReconciliationList } from '../reconciliation/reconciliation-run.ts'
import { parseResolveRequest } from '../quote/resolution.ts'
import { parseSandboxQrRequest } from '../sandbox/sandbox-qr.ts'
import { parseSignedSweeps, parseSweepRequest } from '../sweep/sweep.ts'
import { arbitraryFromSchema } from '../testing/arbitrary-from-schema.ts'
import { type JsonSchema, satisfiesSchema } from '../testing/json-schema.ts'
import { nearMisses } from '../testing/near-misses.ts'
import { parseWalletPatch } from '../ledger/wallet-balance.ts'
import { parseWalletTransactionList } from '../ledger/wallet-transaction.ts'
import {
  parseRotateSecret,
  parseWebhookList,
  parseWebhookPatch,
  parseWebhookRequest,
} from '../webhook/webhook-request.ts'
import type { OpenApiDocument } from './document.ts'
import { operatorOpenApi } from './operator.ts'
import { publicOpenApi } from './public.ts'

type Method = 'get' | 'post' | 'patch'

const tenants = publicOpenApi()
const operators = operatorOpenApi()
const examples = publicOpenApi({ isExample: true })

const operationAt = (document: OpenApiDocument, method: Method, path: string) => {
  const operation = document.paths?.[path]?.[method]
  if (!operation) throw new Error(`no ${method} ${path}`)
  return operation
}

function bodySchema(document: OpenApiDocument, method: Method, path: string): JsonSchema {
  const body = operationAt(document, method, path).requestBody
  const media = body && 'content' in body ? body.content['application/json'] : undefined
  if (!media || !('schema' in media)) throw new Error(`no body of ${method} ${path}`)
  return media.schema as JsonSchema
}

const bodies: [Method, string, OpenApiDocument, (body: unknown) => Parsed<unknown>][] = [
  ['post', '/v1/payouts', tenants, parsePayoutRequest],
  ['post', '/v1/payouts/qr/resolve', tenants, parseResolveRequest],
  ['post', '/v1/quotes', tenants, parseQuoteRequest],
  ['post', '/v1/sandbox/qr-codes', tenants, parseSandboxQrRequest],
  ['post', '/v1/sandbox/faucet', tenants, (body) => parseFaucetRequest(body, 'once', (address) => address)],
  ['patch', '/v1/wallets', tenants, parseWalletPatch],
  ['post', '/v1/webhooks', tenants, parseWebhookRequest],
  ['patch', '/v1/webhooks/{id}', tenants, parseWebhookPatch],
  ['post', '/v1/webhooks/{id}/test', tenants, parseNoBody],
  ['post', '/v1/webhooks/{id}/pause', tenants, parseNoBody],
  ['post', '/v1/webhooks/{id}/replay', tenants, (body) => parse(replayRequest, body)],
  ['post', '/v1/webhooks/{id}/reactivate', tenants, parseNoBody],
  ['post', '/v1/webhooks/{id}/rotate-secret', tenants, parseRotateSecret],
  ['post', '/v1/webhooks/{id}/deliveries/{delivery_id}/resend', tenants, parseNoBody],
  ['post', '/v1/mock/clock/advance', examples, parseClockAdvance],
  ['post', '/v1/mock/deposits', examples, parseMockDeposit],
  ['post', '/v1/api-keys/{id}/rotate', tenants, parseRotateOwnKey],
  ['post', '/operator/v1/tenants', operators, parseTenantRequest],
  ['patch', '/operator/v1/tenants/{id}', operators, parseTenantPatch],
  ['post', '/operator/v1/tenants/{id}/suspend', operators, parseSuspension],
  ['post', '/operator/v1/tenants/{id}/resume', operators, parseResumption],
  ['post', '/operator/v1/payouts/stop', operators, parsePayoutStop],
  ['post', '/operator/v1/tenants/{id}/api-keys', operators, parseApiKeyRequest],
  ['patch', '/operator/v1/api-keys/{id}', operators, parseApiKeyPatch],
  ['post', '/operator/v1/api-keys/{id}/rotate', operators, parseRotateKey],
  ['post', '/operator/v1/deposits/{id}/close', operators, parseCloseDeposit],
  ['post', '/operator/v1/deposits/{id}/credit', operators, parseCreditDeposit],
  ['post', '/operator/v1/tenants/{id}/top-up-addresses/rotate', operators, parseNoBody],
  ['post', '/operator/v1/differences/{id}/close', operators, parseDifferenceClosure],
  ['post', '/operator/v1/tenants/{id}/adjustments', operators, parseAdjustment],
  ['post', '/operator/v1/operator-tokens', operators, parseOperatorTokenRequest],
  ['post', '/operator/v1/deposits/{id}/return', operators, parseReturnDeposit],
  ['post', '/operator/v1/payouts/{id}/refund', operators, parseRefund],
  ['post', '/operator/v1/proposals/{id}/reject', operators, parseRejection],
  ['post', '/operator/v1/treasury/{id}/reverse', operators, parseReversal],
  ['post', '/operator/v1/screening-cases/{id}/decide', operators, parseScreeningDecision],
  ['post', '/operator/v1/cases/{id}/notes', operators, parseCaseNote],
  ['post', '/operator/v1/found-secrets', operators, parseFoundSecret],
  ['post', '/operator/v1/rates/pause', operators, parseQuotingPause],
  ['post', '/operator/v1/webhook-endpoints/{id}/pause', operators, parseEndpointPause],
  ['post', '/operator/v1/webhook-endpoints/{id}/resume', operators, parseEndpointResumption],
  ['post', '/operator/v1/second-factor/confirm', operators, parseCode],
  ['post', '/operator/v1/sweep/batches', operators, parseSweepRequest],
  ['post', '/operator/v1/sweep/batches/{id}/signed', operators, parseSignedSweeps],
]

describe.each(bodies)('the document and the parser agree about %s %s', (method, path, document, parser) => {
  const schema = bodySchema(document, method, path)

  test('reads every value that satisfies the schema', () => {
    fc.assert(
      fc.property(arbitraryFromSchema(schema, document), (body) => {
        expect(parser(body)).toMatchObject({ ok: true })
      }),
    )
  })

  test('reads a near miss if, and only if, it satisfies the schema', () => {
    fc.assert(
      fc.property(nearMisses(schema, document), (body) => {
        fc.pre(body !== undefined)
        expect(parser(body).ok).toBe(satisfiesSchema(schema, body, document))
      }),
      { numRuns: 300 },
    )
  })

  test('reads arbitrary JSON if, and only if, it satisfies the schema, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'small' }), (body) => {
        expect(parser(body).ok).toBe(satisfiesSchema(schema, body, document))
      }),
    )
  })
})

const queries: [string, OpenApiDocument, (search: string) => Parsed<unknown>][] = [
  ['/v1/payouts', tenants, (search) => parsePayoutList('ten_1', search)],
  ['/v1/deposits', tenants, (search) => parseDepositList('ten_1', search)],
  ['/v1/api-keys', tenants, (search) => parseOwnApiKeyList('ten_1', search)],
  ['/v1/wallets/transactions', tenants, (search) => parseWalletTransactionList('ten_1', search)],
  ['/v1/webhooks', tenants, (search) => parseWebhookList('ten_1', search)],
  ['/v1/webhooks/{id}/deliveries', tenants, (search) => parseDeliveryList('ten_1', 'we_1', search)],
  ['/v1/events', tenants, (search) => parseEventList('ten_1', search)],
  ['/operator/v1/deposits', operators, parseOperatorDepositList],
  ['/operator/v1/wallets', operators, parseOperatorWalletList],
  ['/operator/v1/webhook-endpoints', operators, parseOperatorEndpointList],
  ['/operator/v1/payouts', operators, (search) => parseOperatorPayoutList(search, new Date(0))],
  ['/operator/v1/tenants', operators, parseTenantList],
  ['/operator/v1/differences', operators, parseDifferenceList],
  ['/operator/v1/proposals', operators, parseProposalList],
  ['/operator/v1/reconciliation-runs', operators, parseReconciliationList],
  ['/operator/v1/audit-log', operators, parseAuditList],
  ['/operator/v1/events', operators, parseOperatorEventList],
  ['/operator/v1/faucet-sends', operators, parseOperatorFaucetSendList],
]

test.each(queries)('GET %s: each parameter is read as its schema says', (path, document, parse) => {
  const parser = document === operators ? (search: string) => parseFormatted(search, parse) : parse
  const parameters = (operationAt(document, 'get', path).parameters ?? []).flatMap((parameter) =>
    '$ref' in parameter || parameter.in !== 'query'
      ? []
      : [{ name: parameter.name, schema: parameter.schema as JsonSchema }],
  )
  expect(parameters.length).toBeGreaterThan(1)
  // A cursor is only good when the service made it: its own tests show that.
  for (const { name, schema } of parameters.filter(({ name }) => name !== 'cursor')) {
    const values = fc.oneof(arbitraryFromSchema(schema, document), nearMisses(schema, document))
    fc.assert(
      fc.property(values, (value) => {
        const given = typeof value === 'string' ? value : JSON.stringify(value ?? null)
        const text = given.toWellFormed() // As a query string would carry it.
        const isSpelled = schema.type !== 'integer' || String(Number(text)) === text
        const meant = schema.type === 'integer' ? Number(text) : text
        expect(parser(String(new URLSearchParams({ [name]: text }))).ok).toBe(
          isSpelled && satisfiesSchema(schema, meant, document),
        )
      }),
      { numRuns: 200 },
    )
  }
})
