import type { Answer, Route } from '../json-server.ts'

/** Routes of an admin port, which are answered when their changes are durable. */
export type AdminRoutes = {
  post(path: string, act: (body: unknown) => unknown): Route
  /** @param act  takes the value of the query's `reference` */
  get(path: string, act: (reference: string | undefined) => unknown): Route
  delete(path: string, act: () => unknown): Route
}

/** @param flushed  resolves when all changes so far are durable */
export function adminRoutesUnder(prefix: string, flushed: () => Promise<void>): AdminRoutes {
  const answer = async (value: unknown): Promise<Answer> => {
    const json = (await value) ?? {}
    await flushed()
    return { status: 200, json }
  }
  return {
    post: (path, act) => ({ method: 'POST', path: prefix + path, handle: ({ body }) => answer(act(body)) }),
    get: (path, act) => ({
      method: 'GET',
      path: prefix + path,
      handle: ({ query }) => answer(act(query.get('reference') ?? undefined)),
    }),
    delete: (path, act) => ({ method: 'DELETE', path: prefix + path, handle: () => answer(act()) }),
  }
}
