import { visible } from '../terminal.ts'
import { QuipuError, type QuipuConnectionError } from '../index.ts'

/** An error of a call for a person: what happened, to which request, and where the remedy is. */
export function errorText(error: QuipuError | QuipuConnectionError): string {
  if (!(error instanceof QuipuError)) {
    const reason = reasonOf(error.cause)
    return visible(`${error.message}${reason === '' ? '' : `: ${reason}`}`)
  }
  const { code, details, docUrl, requestId, retryAfter, status } = error
  const fields = details.map(({ field, message }) => `  ${field} ${message}`)
  const again = retryAfter === undefined ? [] : [`  Repeat it after ${retryAfter} s.`]
  const remedy = docUrl === undefined ? [] : [`  What to do: ${docUrl}`]
  const title = details.length > 0 ? 'the request is refused' : plainMessage(error)
  const first = `${code}: ${title} (${status}, request ${requestId})`
  return [first, ...fields, ...again, ...remedy].map(visible).join('\n')
}

/** The same for a program. */
export const errorJson = (error: QuipuError | QuipuConnectionError): string => {
  const { requestId: request_id, uncertain } = error
  const common = { request_id, uncertain }
  if (!(error instanceof QuipuError))
    return JSON.stringify({ error: { code: 'NO_ANSWER', message: errorText(error), ...common } })
  const { code, status, details, docUrl: doc_url, retryable, payoutId: payout_id } = error
  const message = plainMessage(error)
  return JSON.stringify({ error: { code, message, status, details, ...common, retryable, doc_url, payout_id } })
}

/** Without the part in brackets, which repeats other members. */
const plainMessage = ({ message }: Error): string => message.replace(/ \([^()]*\)$/, '')

/** `fetch` wraps the reason in a cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  const inner = reasonOf(cause.cause)
  return inner === '' ? cause.message : inner
}
