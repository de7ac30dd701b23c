import type { Request, RequestHandler, Response } from 'express'
import { type Parsed, parseNoQuery } from '@quipu/wire'
import { type Answer, send } from './answer.ts'
import { invalid } from './api-error.ts'
import { readJson } from './body.ts'
import { deadlineOf, isAnswered } from './limit/deadline.ts'

/** What an endpoint takes and does. */
export type Endpoint<Body, Query> = {
  /** Reads the JSON body; it is given undefined when the request has none. Left out: none is read. */
  readonly body?: (json: unknown, req: Request) => Parsed<Body>
  /** Runs once a body has arrived, which may take long; whether the request is valid comes later. */
  readonly afterBody?: (res: Response) => Promise<void>
  /** Reads the query. Left out: there are no parameters, and each is an error. */
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
 * Answers one method of one path: reads the body, lists everything that is wrong with it and with
 * the query, and only then handles the request.
 */
export function endpoint<Body = undefined, Query = undefined>({
  body: parseBody,
  afterBody,
  query: parseQuery = noQuery,
  handle,
}: Endpoint<Body, Query>): RequestHandler {
  return async (req, res) => {
    const body = parseBody ? parseBody(await bodyOf(req, res), req) : nothing<Body>()
    const query = parseQuery(searchOf(req), res)
    if (!body.ok || !query.ok) {
      throw invalid([body, query].flatMap((parsed) => (parsed.ok ? [] : parsed.issues)))
    }
    if (isAnswered(res)) return
    const answer = await handle({ req, res, body: body.value, query: query.value })
    if (!isAnswered(res)) send(res, answer)
  }

  async function bodyOf(req: Request, res: Response): Promise<unknown> {
    const deadline = deadlineOf(res)
    deadline?.pause()
    const json = await readJson(req)
    deadline?.resume()
    await afterBody?.(res)
    return json
  }
}

/** What follows the `?`. */
function searchOf({ url }: Request): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

const noQuery = <T>(search: string): Parsed<T> =>
  search === '' ? nothing<T>() : (parseNoQuery(search) as Parsed<T>)

const nothing = <T>(): Parsed<T> => ({ ok: true, value: undefined as T })
