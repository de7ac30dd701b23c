import { requestOf } from './request-form.ts'
import { baseUrl, keyText } from './session.ts'
import { plainHeaders, targetOf } from '../sample/sample-request.ts'

const answerWithinMs = 150_000

/** Sends the request of a form. */
export function ask(form: HTMLFormElement): Promise<Response> {
  const request = requestOf(form)
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
