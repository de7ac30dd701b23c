import type { JsonSchema, SchemaDocument } from '@quipu/wire/testing'

/** A parameter of an operation. */
export type FuzzParameter = {
  readonly in: string
  readonly name: string
  readonly schema: JsonSchema
  readonly required?: boolean
}

type MediaTypes = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** An operation of an OpenAPI document, as far as a fuzzer reads it. */
export type FuzzOperation = {
  /** Such as `POST /v1/payouts`. */
  readonly name: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly parameters: readonly FuzzParameter[]
  readonly body: { readonly schema: JsonSchema; readonly required: boolean } | undefined
  /** The schemas of its answers, by status. */
  readonly responses: Readonly<Record<string, { readonly content?: MediaTypes }>>
}

type DocumentedOperation = Pick<FuzzOperation, 'responses'> & {
  readonly parameters?: readonly FuzzParameter[]
  readonly requestBody?: { readonly content: MediaTypes; readonly required?: boolean }
}

/** An OpenAPI document whose parameters, bodies and answers are written out in place. */
export type FuzzDocument = SchemaDocument & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

/** All operations of a document. */
export const operationsOf = ({ paths }: FuzzDocument): FuzzOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
      const schema = requestBody?.content['application/json']?.schema
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters,
        responses,
        body: schema && { schema, required: requestBody?.required === true },
      }
    }),
  )
