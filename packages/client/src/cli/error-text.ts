import { visible } from '../terminal.ts'
import { QuipuError, type QuipuConnectionError } from '../index.ts'

/**
 * An error of a call for a person: what happened, to which request, and where the remedy is.
 *
 * @param args  the command line, whose option at fault is named
 */
export function errorText(error: QuipuError | QuipuConnectionError, args: readonly string[] = []): string {
  if (!(error instanceof QuipuError)) {
    const reason = reasonOf(error.cause)
    const again = error.uncertain ? '' : '. Repeat the command.'
    return visible(`${error.message}${reason === '' ? '' : `: ${reason}`}${again}`)
  }
  const { code, details, docUrl, requestId, retryAfter, status } = error
  const fields = details.map(({ field, message }) => `  ${optionOf(field, args)} ${message}`)
  const again = retryAfter === undefined ? [] : [`  Repeat it after ${retryAfter} s.`]
  const remedy = docUrl === undefined ? [] : [`  What to do: ${docUrl}`]
  const title = details.length > 0 ? 'the request is refused' : plainMessage(error)
  const first = `${code}: ${title} (${status}, request ${requestId})`
  return [first, ...fields, ...again, ...remedy].map(visible).join('\n')
}

/** Options and commands whose name is not that of their member. */
const renamed: Readonly<Record<string, string>> = {
  content: '--qr',
  target: '--amount',
  'target.amount': '--amount',
  resolution_id: '--resolution',
  api_key_id: '--key',
  low_balance_threshold: 'threshold',
}

/** The option that a member was given by, if any, before the member. */
function optionOf(field: string, args: readonly string[]): string {
  const option = renamed[field] ?? `--${field.replaceAll('_', '-')}`
  return args.some((each) => each === option || each.startsWith(`${option}=`)) ? `${option}: ${field}` : field
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
