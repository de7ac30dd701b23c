import { defaultToleranceSeconds } from '@quipu/core'
import { attemptTimeoutSeconds, apiKeyPrefix } from '@quipu/core/adapter'
import { pageLimit } from '../list/list.ts'
import { mockKeyPrefix } from '../mock/mock.ts'
import { retryTimeText, type StatedLimits } from '../text/limits.ts'

/**
 * Describes what all operations have in common, in sections: `## Title` and paragraphs.
 *
 * Uses no Markdown but these headings and code between backquotes, so it reads well as plain text.
 *
 * @param headerPrefix  the prefix of the two signature headers: the operator’s brand
 * @param webhookSources  the addresses and CIDRs that webhooks come from, as far as they are known
 */
export const describeApi = (
  headerPrefix: string,
  { endpoints, retries }: StatedLimits,
  webhookSources: readonly string[],
): string =>
  `
Pays Bolivian merchant QRs in bolivianos (BOB) out of a USDT balance: read a QR with \`POST /v1/payouts/qr/resolve\`, get a firm price with \`POST /v1/quotes\`, pay with \`POST /v1/payouts\`.

Amounts are decimal strings: USDT with six fraction digits, BOB with two, \`rate\` with four. Instants are ISO 8601 in UTC with milliseconds.

## Authentication

Send your key in the header \`X-API-Key\`. Keys that begin with \`${apiKeyPrefix('live')}\` pay real money; keys that begin with \`${apiKeyPrefix('test')}\` belong to the sandbox. The example server has the same API in memory: any key that begins with \`${mockKeyPrefix}\` works there without a sign-up, and has its own wallet. A key of another environment is a 401.

Each operation names the scope that a key needs. Keep keys on your server, never in an app or a page.

## Idempotency and retries

Your \`transaction_id\` is one payment, forever. Every answer to \`POST /v1/payouts\` that is neither a 2xx with its JSON nor a 4xx other than 408 and 429 leaves the outcome unknown: a timeout, a broken connection, a 500, the 502 or 504 of a proxy. Send the same body again: the answer is that payment in its present state, with \`Idempotent-Replayed: true\`. Another body with the same id is a \`TRANSACTION_ID_REUSED\` and pays nothing.

So store the whole body before you send it for the first time, and repeat it until you get an answer. Wait as \`Retry-After\` says, in seconds or with a date, and with growing delays where it is missing.

## Errors

An error has a \`code\` for programs, a \`message\` for people and a \`request_id\` to quote in a report; it is the \`ErrorBody\` of every operation. Treat an unknown code by its status.

With a \`400\` the \`message\` names every offending field, and \`details\` repeats them one by one: up to 20, then \`and N more\`. An unknown or repeated body member, and an unknown, repeated or empty query parameter, is a \`400\`: a typo in a money request is never ignored. A \`null\` for a member that may be left out, or for the other type’s object, is the same as leaving it out.

Requests are checked in this order: 401; 404 and 405 for the path; 403; 413 and 415; 400; then the refusals of the endpoint. A path that does not exist is \`NOT_FOUND\`; a method that a path does not take is \`METHOD_NOT_ALLOWED\` with \`Allow\`. The id of another tenant is a 404, like an id that does not exist.

A payout that was not paid is no HTTP error: its \`status\` says how it ended and its \`error\`, a \`PayoutError\`, says why.

Answers may gain members and error codes: ignore unknown members.

## Pages

Lists answer \`{data, next_cursor}\`, newest first, with \`limit\` items (1 to ${pageLimit.max}, default ${pageLimit.default}). Send \`next_cursor\` as \`cursor\`, with the same filters, until it is null: when few rows match a filter, a page can hold fewer items than \`limit\`, even none, and not be the last. A changed \`cursor\`, or one of other filters, is a \`400\`. Every item that exists when the first page is read appears exactly once, also while items are added.

## Webhooks

Register an endpoint with \`POST /v1/webhooks\` and keep its \`secret\`. Every delivery carries \`${headerPrefix}Signature: t=<unix seconds>,v1=<hex>\`, where \`v1\` is the HMAC-SHA256 of \`<t>.<raw body>\` with the secret. Compute it over the raw bytes, before anything parses them; compare in constant time; accept any of several \`v1\`, which appear while secrets rotate; refuse a \`t\` older than ${defaultToleranceSeconds} seconds.

Answer 2xx within ${attemptTimeoutSeconds} seconds and work afterwards. Events arrive at least once and in any order: deduplicate on the event’s \`id\`, and read the payout or deposit when in doubt. A delivery that fails is attempted ${retries.attempts} times within ${retryTimeText(retries)}. After ${endpoints.pauseAfter} events in a row have run out of attempts, the endpoint is paused until you reactivate it. Missed events can be sent again, and are in \`GET /v1/events\`.${sourceText(webhookSources)}
`.trim()

const sourceText = (addresses: readonly string[]): string =>
  addresses.length === 0
    ? ''
    : `

Webhooks come from ${addresses.map((address) => `\`${address}\``).join(', ')}: let them through your firewall. The signature alone proves that an event is the service’s.`
