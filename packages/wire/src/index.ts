export { cursorScope, type CursorScope, decodeCursor, encodeCursor } from './cursor.ts'
export { parseNoBody, parseNoQuery } from './empty.ts'
export {
  type ErrorJson,
  errorToJson,
  type HttpError,
  type HttpErrorCode,
  httpErrors,
} from './error.ts'
export { encodeEvent, type PayoutEventJson } from './event.ts'
export { canonicalJson, fingerprint } from './fingerprint.ts'
export { type ReadinessJson, readinessToJson } from './health.ts'
export { isId, parseUuid } from './identifier.ts'
export { instantToJson } from './instant.ts'
export { type ListRequest, type PageJson, pageToJson } from './list.ts'
export { type MoneyJson, moneyToJson } from './money.ts'
export {
  type ApiKeyJson,
  type ApiKeyRequest,
  apiKeyToJson,
  type IssuedApiKeyJson,
  issuedApiKeyToJson,
  parseApiKeyRequest,
} from './operator/api-key.ts'
export {
  defaultPricing,
  parseOperatorList,
  parsePricingPatch,
  parseTenantRequest,
  type TenantJson,
  type TenantRequest,
  tenantToJson,
} from './operator/tenant.ts'
export { describeIssues, type Issue, mapParsed, parse, type Parsed } from './parsed.ts'
export { parsePayoutList, type PayoutListRequest } from './payout-list.ts'
export { parsePayoutRequest, type PayoutRequest } from './payout-request.ts'
export { type PayoutJson, payoutToJson } from './payout.ts'
export {
  parseQuoteRequest,
  type QuoteJson,
  type QuoteRecordJson,
  type QuoteRequest,
  quoteToJson,
  quoteViewToJson,
  targetNeeded,
} from './quote.ts'
export { parseResolveRequest, type ResolutionJson, resolutionToJson } from './resolution.ts'
export { parseSandboxQrRequest, type SandboxQrJson, sandboxQrToJson } from './sandbox-qr.ts'
export { type TopUpAddress, type WalletJson, walletToJson } from './wallet.ts'
