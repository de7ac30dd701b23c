import { z } from 'zod'
import { describeIssues, type Issue, listedIssues } from '../json/parsed.ts'
import { type HttpErrorCode, httpErrors } from './http-errors.ts'

const codes = Object.keys(httpErrors) as HttpErrorCode[]

const issue = z.object({
  field: z.string().meta({ description: 'Dotted path, query parameter, or `body`.', examples: ['limit'] }),
  message: z.string().meta({ examples: ['must be a whole number from 1 to 100'] }),
})

const exampleIssue = { field: 'limit', message: 'must be a whole number from 1 to 100' }

const errorBodyWith = (listed: readonly HttpErrorCode[]) =>
  z.object({
    error: z.object({
      code: z
        .union([z.enum(listed), z.string()])
        .meta({ description: 'New codes may be added: treat an unknown one by the status of the answer.' }),
      message: z
        .string()
        .meta({ description: 'For people. With 400 it names every field, up to 20, and how many more there are.' }),
      details: z
        .array(issue)
        .optional()
        .meta({ description: 'With 400 only: one per field, at most 20.', examples: [[exampleIssue]] }),
      payout_id: z
        .string()
        .optional()
        .meta({
          description: 'The payout of yours that has the `transaction_id` or used the quote.',
          examples: ['po_01K6HZ8M00000000000000000A'],
        }),
      request_id: z.string().meta({ description: 'The same as in `X-Request-Id`.' }),
      doc_url: z
        .string()
        .optional()
        .meta({
          description: 'What the code means and what to do. Present when the service has set it up.',
          examples: ['https://api.example.com/docs#error-QUOTE_EXPIRED'],
        }),
    }),
  })

/** The body of every HTTP error that a tenant gets. */
export const errorBody = errorBodyWith(codes.filter((code) => !('isOperatorOnly' in httpErrors[code]))).meta({
  id: 'ErrorBody',
  description: 'The body of every answer that is a 4xx or 5xx.',
})
/** The body of every HTTP error that an operator gets. */
export const operatorErrorBody = errorBodyWith(codes).meta({ id: 'OperatorError' })
export type ErrorJson = z.output<typeof errorBody>

/** An error that an answer states. */
export type HttpError = {
  readonly code: HttpErrorCode
  readonly requestId: string
  /** Replaces the code's fixed message. */
  readonly message?: string
  /** With 400: the message names them and `details` repeats them one by one. */
  readonly issues?: readonly Issue[]
  readonly payoutId?: string
  /** The reference page, which has an anchor `error-<code>` for every code. */
  readonly docsUrl?: string
}

export const errorToJson = ({ code, requestId, message, issues, payoutId, docsUrl }: HttpError): ErrorJson => ({
  error: {
    code,
    message: message ?? (issues ? describeIssues(issues) : httpErrors[code].message),
    ...(issues && { details: [...listedIssues(issues)] }),
    ...(payoutId !== undefined && { payout_id: payoutId }),
    request_id: requestId,
    ...(docsUrl !== undefined && { doc_url: `${docsUrl}#error-${code}` }),
  },
})
