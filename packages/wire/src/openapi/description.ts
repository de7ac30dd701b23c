import { attemptTimeoutSeconds, defaultToleranceSeconds } from '@quipu/core'
import { pageLimit } from '../list/list.ts'
import { retryTimeText, type StatedLimits } from './limits.ts'

/**
 * What holds for every operation, in sections, each `## Title` and paragraphs.
 *
 * Of Markdown only these headings and code between backquotes are used, so that it reads as text too.
 *
 * @param headerPrefix  of the two signature headers: the operator’s brand
 */
export const describeApi = (headerPrefix: string, { endpoints, retries }: StatedLimits): string =>
  `
Pays Bolivian merchant QRs in bolivianos (BOB) out of a USDT balance: read a QR with \`POST /v1/payouts/qr/resolve\`, get a firm price with \`POST /v1/quotes\`, pay with \`POST /v1/payouts\`.

Amounts are decimal strings: USDT with six fraction digits, BOB with two, \`rate\` with four. Instants are ISO 8601 in UTC with milliseconds.

## Authentication

Send your key in the header \`X-API-Key\`. Keys that begin \`qpu_live_\` pay real money, \`qpu_test_\` are for the sandbox. The example server has the same API on memory: any key that begins \`qpu_mock_\` works there without a sign-up, and has a wallet of its own. A key of another environment is a 401.

Each operation names the scope that a key needs. Keep keys on your server, and never in an app or a page.

## Idempotency and retries

Your \`transaction_id\` is one payment, forever. When you do not know how a \`POST /v1/payouts\` ended, above all after a timeout or a \`503\`, send the same body again: it answers with that payment as it is now, and with \`Idempotent-Replayed: true\`. Another body under the same id is \`TRANSACTION_ID_REUSED\` and pays nothing.

So write down the whole body before you send it for the first time, and repeat it until there is an answer. After a \`429\` or a \`503\`, wait for the seconds in \`Retry-After\`.

## Errors

An error has a \`code\` for programs, a \`message\` for people and a \`request_id\` to quote when you report it; it is the \`Error\` of every operation. Treat a code that you do not know by the status.

With a \`400\` the \`message\` names every offending field and \`details\` repeats them one by one. A body member that is unknown or repeated, and a query parameter that is unknown, repeated or empty, is a \`400\`: a typo in a money request is never dropped silently. So is \`null\` for a member that may be left out.

Checks go in this order: 401; 404 and 405 for the path; 403; 413, 415 and malformed JSON; 400; then what the endpoint itself refuses. A path that does not exist is \`NOT_FOUND\`, a method that a path does not take \`METHOD_NOT_ALLOWED\` with \`Allow\`. Somebody else’s id is a 404 like one that does not exist.

A payout that could not be paid is no HTTP error: its \`status\` says how it ended and its \`error\`, a \`PayoutError\`, says why.

Answers may gain members and error codes: ignore members you do not know.

## Pages

Lists answer \`{data, next_cursor}\`, newest first, with \`limit\` items (1 to ${pageLimit.max}, default ${pageLimit.default}). Send \`next_cursor\` as \`cursor\`, with the same filters, until it is null: a page of a filter that few rows match can hold fewer items than \`limit\`, even none, and not be the last. A \`cursor\` of other filters, or one that was changed, is a \`400\` and never an empty page. Whatever was there before the first page appears exactly once, also while more is added.

## Webhooks

Register an endpoint with \`POST /v1/webhooks\` and keep its \`secret\`. Every delivery carries \`${headerPrefix}Signature: t=<unix seconds>,v1=<hex>\`, where \`v1\` is the HMAC-SHA256 of \`<t>.<raw body>\` with the secret. Compute it over the bytes as they came, before anything parses them; compare in constant time; accept any of several \`v1\`, which there are while secrets change; refuse a \`t\` older than ${defaultToleranceSeconds} seconds.

Answer 2xx within ${attemptTimeoutSeconds} seconds and work afterwards. Events come at least once and in any order: dedupe on the event’s \`id\`, and read the payout or deposit when in doubt. A delivery that fails is attempted ${retries.attempts} times within ${retryTimeText(retries)}. After ${endpoints.pauseAfter} events in a row have run out of attempts, the endpoint is paused until you reactivate it. Missed events can be sent again, and are in \`GET /v1/events\`.
`.trim()
