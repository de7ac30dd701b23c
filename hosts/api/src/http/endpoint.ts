import type { Request, RequestHandler, Response } from 'express'
import { type Parsed, parseNoQuery } from '@quipu/wire'
import { type Answer, send, sendChunks } from './answer.ts'
import { invalid } from './api-error.ts'
import { readJson } from './body.ts'
import { contextOf } from './context.ts'
import { deadlineOf, isAnswered } from './deadline.ts'

type ParseBody<Body> = (json: unknown, req: Request) => Parsed<Body> | Promise<Parsed<Body>>

export type Endpoint<Body, Query> = {
  /** Parses the JSON body, which is undefined when the request has none. Left out: no body is read. */
  readonly body?: ParseBody<Body>
  /** Runs when a body has arrived, which may take long, and before it is validated. */
  readonly afterBody?: (res: Response) => Promise<void>
  /** Parses the query. Left out: every parameter is an error. */
  readonly query?: (search: string, res: Response) => Parsed<Query>
  handle(input: Input<Body, Query>): Promise<Answer> | Answer
}

export type Input<Body, Query> = {
  readonly req: Request
  readonly res: Response
  readonly body: Body
  readonly query: Query
}

/**
 * Handles one method of one path: parses body and query, and refuses the request with every issue
 * of both before `handle` runs.
 */
export function endpoint<Body = undefined, Query = undefined>({
  body: parseBody,
  afterBody,
  query: parseQuery = noQuery,
  handle,
}: Endpoint<Body, Query>): RequestHandler {
  const noBody = { body: nothing<Body>(), issues: [] }
  return async (req, res) => {
    const { body, issues } = parseBody ? await bodyOf(req, res, parseBody) : noBody
    const query = parseQuery(searchOf(req), res)
    if (!body.ok || !query.ok || issues.length > 0) {
      const parts = [{ ok: false, issues } as const, body, query]
      throw invalid(parts.flatMap((parsed) => (parsed.ok ? [] : parsed.issues)))
    }
    if (isAnswered(res)) return
    const answer = await handle({ req, res, body: body.value, query: query.value })
    if (isAnswered(res)) return
    if (answer.chunks === undefined || req.method === 'HEAD') return send(res, answer)
    deadlineOf(res)?.pause() // The text may be long.
    await sendChunks(res, answer, answer.chunks)
  }

  async function bodyOf(req: Request, res: Response, parse: ParseBody<Body>) {
    const deadline = deadlineOf(res)
    deadline?.pause()
    const { json, issues, digest } = await readJson(req)
    contextOf(res).bodyDigest = digest
    deadline?.resume()
    await afterBody?.(res)
    return { body: await parse(json, req), issues }
  }
}

/** The text after the `?`. */
function searchOf({ url }: Request): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

const noQuery = <T>(search: string): Parsed<T> => (search === '' ? nothing<T>() : (parseNoQuery(search) as Parsed<T>))

const nothing = <T>(): Parsed<T> => ({ ok: true, value: undefined as T })
