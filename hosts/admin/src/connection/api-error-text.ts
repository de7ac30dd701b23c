import { visible } from '@quipu/client/terminal'
import type { ErrorAnswer } from './call-api.ts'

/**
 * An error of the API for a person. Each faulty member is named by its option.
 *
 * @param flags  the options of the command, by the members' names
 */
export function apiErrorText(
  { code, message, details, status, requestId }: ErrorAnswer,
  flags: ReadonlyMap<string, string>,
): string {
  const request = requestId === undefined ? '' : `, request ${requestId}`
  const fields = details.map(({ field, message: rule }) => {
    const flag = flags.get(field)
    return `  ${flag === undefined ? field : `--${flag}`} ${rule}`
  })
  const title = details.length > 0 ? 'the request is refused' : message
  return [`${code}: ${title} (${status}${request})`, ...fields].map(visible).join('\n')
}
