import type { IRouter, Request, RequestHandler } from 'express'
import type { IdPrefix } from '@quipu/core/adapter'
import { type HttpErrorCode, isId } from '@quipu/wire'
import { ApiError } from './api-error.ts'

type Methods = { readonly [M in 'get' | 'post' | 'patch' | 'delete']?: RequestHandler }

/**
 * Binds the methods of a path. `GET` also serves `HEAD`, `OPTIONS` lists the methods, and every other
 * method is a `405`.
 */
export function bind(router: IRouter, path: string, methods: Methods): void {
  const route = router.route(path)
  const { get, post, patch, delete: remove } = methods
  if (get) route.get(get)
  if (post) route.post(post)
  if (patch) route.patch(patch)
  if (remove) route.delete(remove)
  const names = Object.keys(methods).map((method) => method.toUpperCase())
  const Allow = (get ? ['HEAD', ...names] : names).toSorted().join(', ')
  route.all((req, res) => {
    if (req.method !== 'OPTIONS') throw new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow } })
    res.statusCode = 204
    res.setHeader('Allow', Allow)
    res.end()
  })
}

/** Reads the id in the path. @throws ApiError with the code, when it is no id of this kind */
export const idInPath =
  (prefix: IdPrefix, code: HttpErrorCode) =>
  (req: Request): string => {
    const id = String(req.params['id'])
    if (!isId(prefix, id)) throw new ApiError(code)
    return id
  }

/** Answers `404` to a path that no route matched. */
export const nothingHere: RequestHandler = () => {
  throw new ApiError('NOT_FOUND')
}
