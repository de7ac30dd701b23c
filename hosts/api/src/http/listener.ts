import { randomUUID } from 'node:crypto'
import { type RequestListener, STATUS_CODES } from 'node:http'
import { type Address, type AnswerRefused, type Listener, listen as listenAt, type RefusedBytes } from '@quipu/runtime'
import { errorToJson, type HttpErrorCode, httpErrors } from '@quipu/wire'

/**
 * Starts an HTTP server over an app. Bytes that are no HTTP request get an error of the API's shape.
 *
 * @param docsUrl  where these errors link to their explanation; left out: they have no link
 */
export const listen = (app: RequestListener, address: Address, docsUrl?: string): Promise<Listener> =>
  listenAt(app, address, { answerRefused: refusalWith(docsUrl) })

const codes: Readonly<Record<RefusedBytes, HttpErrorCode>> = {
  headers_too_large: 'HEADERS_TOO_LARGE',
  not_http: 'VALIDATION_FAILED',
  too_slow: 'REQUEST_TIMEOUT',
}
const notHttp = [{ field: 'request', message: 'must be HTTP/1.1' }]

const refusalWith =
  (docsUrl: string | undefined): AnswerRefused =>
  (why) => {
    const code = codes[why]
    const requestId = randomUUID()
    const issues = why === 'not_http' ? { issues: notHttp } : {}
    const link = docsUrl === undefined ? {} : { docsUrl }
    const body = JSON.stringify(errorToJson({ code, requestId, ...issues, ...link }))
    const { status } = httpErrors[code]
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `X-Request-Id: ${requestId}`,
      'Content-Type: application/json; charset=utf-8',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }
