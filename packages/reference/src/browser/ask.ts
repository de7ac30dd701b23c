import { requestOf } from './request-form.ts'
import { baseUrl, keyText } from './session.ts'
import { plainHeaders, targetOf } from '../sample/sample-request.ts'

const answerWithinMs = 150_000

/** Sends the request of a form. @param query  in place of the form’s own */
export function ask(form: HTMLFormElement, query?: string): Promise<Response> {
  const filled = requestOf(form)
  const request = query === undefined ? filled : { ...filled, query: [...new URLSearchParams(query)] }
  const { method, credential, body } = request
  return fetch(baseUrl() + targetOf(request), {
    method,
    headers: {
      ...Object.fromEntries(plainHeaders(request)),
      ...(credential && { [credential.header]: credential.prefix + keyText() }),
    },
    ...(body !== '' && { body }),
    signal: AbortSignal.timeout(answerWithinMs),
  })
}
